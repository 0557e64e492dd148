#include "runner/file_errors.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace vgfio {

std::string quote(const std::string& text) {
  std::string result = "'";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte == 0x7f) {
      char escape[5];
      std::snprintf(escape, sizeof(escape), "\\x%02x", byte);
      result += escape;
    } else {
      if (character == '\'' || character == '\\') result += '\\';
      result += character;
    }
  }
  return result + "'";
}

Result<size_t> regular_file_bytes(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return Status::invalid("no such file: " + quote(path));
  }
  if (error) return Status::invalid("cannot open " + quote(path) + ": " + error.message());
  if (fs::is_directory(status)) {
    return Status::invalid(quote(path) + " is a directory, not a file");
  }
  if (!fs::is_regular_file(status)) return Status::invalid(quote(path) + " is not a regular file");
  if (access(path.c_str(), R_OK) != 0) {
    return Status::invalid("no permission to read " + quote(path));
  }
  const auto bytes = fs::file_size(path, error);
  if (error) return Status::invalid("cannot read " + quote(path) + ": " + error.message());
  return static_cast<size_t>(bytes);
}

}  // namespace vgfio
