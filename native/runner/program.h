// A program file in memory: read, identified, checked and parsed. No method is
// loaded and no device is touched.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>

#include "base/aligned_buffer.h"
#include "base/status.h"
#include "runner/program_facts.h"

namespace vgfio {

class ModelProgram {
 public:
  // Errors (VGFIO_INVALID_REQUEST): no such file, a directory, empty, too short,
  // a bundled program, a data file, no program at all, truncated or damaged.
  static Result<std::unique_ptr<ModelProgram>> open(const std::string& path);
  // The bytes stay the caller's, valid and unchanged until this object is gone;
  // they are copied only if they are not aligned as the runtime needs them.
  static Result<std::unique_ptr<ModelProgram>> from_memory(const void* data, size_t bytes);

  ModelProgram(const ModelProgram&) = delete;
  ModelProgram& operator=(const ModelProgram&) = delete;

  const executorch::runtime::Program& program() const { return *program_; }
  const std::string& path() const { return path_; }  // "" if from memory
  const void* data() const { return data_; }
  size_t bytes() const { return bytes_; }

  // The method of that name, the first one for "". The error lists the names.
  Result<const MethodFacts*> find_method(const std::string& name) const;

 private:
  ModelProgram() = default;
  Status parse();

  std::string path_;
  AlignedBuffer storage_;
  const void* data_ = nullptr;
  size_t bytes_ = 0;
  std::unique_ptr<executorch::extension::BufferDataLoader> loader_;
  std::optional<executorch::runtime::Program> program_;
  std::vector<MethodFacts> methods_;
};

}  // namespace vgfio
