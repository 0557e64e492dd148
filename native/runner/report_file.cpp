#include "runner/report_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "runner/file_errors.h"

namespace vgfio {
namespace {

constexpr mode_t kFileMode = 0666;  // what the umask leaves of it

std::string reason() { return std::strerror(errno); }

Status cannot_write(const std::string& path) {
  return Status::invalid("cannot write the report to " + quote(path) + ": " + reason());
}

Status write_all(int descriptor, const std::string& text, const std::string& path) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      return Status::failed("cannot write the report to " + quote(path) + ": " + reason());
    }
    done += static_cast<size_t>(written);
  }
  return {};
}

// Standard output for the report alone: a private copy of its descriptor, and
// standard error in its place.
int take_standard_output() {
  std::fflush(stdout);
  const int own = dup(STDOUT_FILENO);
  if (own >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  return own;
}

}  // namespace

Result<std::unique_ptr<ReportFile>> ReportFile::open(const std::string& path) {
  if (path == "-") {
    const int descriptor = take_standard_output();
    if (descriptor < 0) return cannot_write("standard output");
    return std::unique_ptr<ReportFile>(new ReportFile(path, "", descriptor));
  }
  if (path.empty()) return Status::invalid("the path of the report is empty");
  struct stat status{};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    return Status::invalid("cannot write the report to " + quote(path) + ": it is a directory");
  }
  if (exists && !S_ISREG(status.st_mode)) {  // a device or a pipe: nothing to move
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return cannot_write(path);
    return std::unique_ptr<ReportFile>(new ReportFile(path, "", descriptor));
  }
  if (exists && access(path.c_str(), W_OK) != 0) return cannot_write(path);
  std::string temporary = path + ".XXXXXX";
  const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return cannot_write(path);
  return std::unique_ptr<ReportFile>(new ReportFile(path, temporary, descriptor));
}

ReportFile::~ReportFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

Status ReportFile::commit(const std::string& text) {
  VGFIO_RETURN_IF_ERROR(write_all(descriptor_, text, path_));
  if (!temporary_.empty()) {
    // mkostemp() makes a private file; a report is as public as any other file.
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor_, kFileMode & ~mask);
    if (fsync(descriptor_) != 0) return Status::failed("cannot write the report: " + reason());
  }
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return Status::failed("cannot write the report: " + reason());
  if (temporary_.empty()) return {};
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return Status::failed("cannot move the report to " + quote(path_) + ": " + reason());
  }
  temporary_.clear();
  return {};
}

}  // namespace vgfio
