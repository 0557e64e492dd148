// A report's file: opened before the run so that a bad path fails first,
// written beside its place and moved there when it is whole.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"

namespace vgfio {

class ReportFile {
 public:
  // "-" is standard output: from here on what others print there goes to
  // standard error, so that it holds the report and nothing else. Errors
  // (VGFIO_INVALID_REQUEST): the folder is missing or cannot be written, the
  // path is a directory.
  static Result<std::unique_ptr<ReportFile>> open(const std::string& path);
  // Removes what was not committed; an older report at the path stays.
  ~ReportFile();
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;

  // Writes the whole text and moves it into place. Call once.
  Status commit(const std::string& text);

 private:
  ReportFile(std::string path, std::string temporary, int descriptor)
      : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

  std::string path_;
  std::string temporary_;  // "" where the path itself is written: standard output, devices, pipes
  int descriptor_;
};

}  // namespace vgfio
