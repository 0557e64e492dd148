#include "runner/program.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "runner/file_errors.h"
#include "runner/runtime_log.h"

namespace vgfio {
namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::Program;

// What a program's segments may be aligned to; ExecuTorch's exporter uses at
// most a page.
constexpr size_t kProgramAlignment = 4096;
constexpr size_t kIdentifierOffset = 4;
constexpr size_t kIdentifierBytes = 4;

Status identify(const void* data, size_t bytes, const std::string& name) {
  if (bytes == 0) return Status::invalid(name + " is empty");
  std::string_view identifier;
  if (bytes >= kIdentifierOffset + kIdentifierBytes) {
    identifier = {static_cast<const char*>(data) + kIdentifierOffset, kIdentifierBytes};
  }
  if (identifier.substr(0, 2) == "ET") {
    if (bytes < Program::kMinHeadBytes) return Status::invalid(name + " is truncated");
    return {};
  }
  if (identifier.substr(0, 2) == "BP") {
    return Status::invalid(name +
                           " is a bundled program; export a plain .pte "
                           "(save the program itself, not BundledProgram)");
  }
  if (identifier.substr(0, 2) == "FT") {
    return Status::invalid(name +
                           " is a data file (.ptd); give it as data path, and the .pte as "
                           "model");
  }
  return Status::invalid(name +
                         " is not an ExecuTorch program (.pte): no program identifier at "
                         "byte 4");
}

Result<AlignedBuffer> read_file(const std::string& path, size_t& bytes) {
  VGFIO_ASSIGN_OR_RETURN(bytes, regular_file_bytes(path));
  VGFIO_ASSIGN_OR_RETURN(AlignedBuffer storage, AlignedBuffer::allocate(bytes, kProgramAlignment));
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(storage.data()), static_cast<std::streamsize>(bytes))) {
    return Status::invalid("cannot read " + quote(path));
  }
  return storage;
}

}  // namespace

Result<std::unique_ptr<ModelProgram>> ModelProgram::open(const std::string& path) {
  std::unique_ptr<ModelProgram> model(new ModelProgram());
  model->path_ = path;
  auto storage = read_file(path, model->bytes_);
  if (!storage.ok()) return storage.status().with_context("model");
  model->storage_ = storage.take();
  model->data_ = model->storage_.data();
  VGFIO_RETURN_IF_ERROR(model->parse());
  return model;
}

Result<std::unique_ptr<ModelProgram>> ModelProgram::from_memory(const void* data, size_t bytes) {
  std::unique_ptr<ModelProgram> model(new ModelProgram());
  model->data_ = data;
  model->bytes_ = bytes;
  if (bytes > 0 && alignment_of(data) < alignof(std::max_align_t)) {
    VGFIO_ASSIGN_OR_RETURN(model->storage_, AlignedBuffer::allocate(bytes, kProgramAlignment));
    std::memcpy(model->storage_.data(), data, bytes);
    model->data_ = model->storage_.data();
  }
  VGFIO_RETURN_IF_ERROR(model->parse());
  return model;
}

Status ModelProgram::parse() {
  const std::string name = "model " + (path_.empty() ? "in memory" : quote(path_));
  VGFIO_RETURN_IF_ERROR(identify(data_, bytes_, name));
  const RuntimeLogCapture capture;
  loader_ = std::make_unique<BufferDataLoader>(data_, bytes_);
  auto program = Program::load(loader_.get(), Program::Verification::InternalConsistency);
  if (!program.ok()) {
    return runtime_status(program.error(), VGFIO_INVALID_REQUEST,
                          name + " is damaged or truncated; export or copy it again");
  }
  program_.emplace(std::move(*program));
  auto methods = read_program_facts(data_, bytes_);
  if (!methods.ok()) return methods.status().with_context(name + " is damaged");
  methods_ = methods.take();
  if (methods_.empty()) return Status::invalid(name + " has no method");
  return {};
}

Result<const MethodFacts*> ModelProgram::find_method(const std::string& name) const {
  std::string names;
  for (const MethodFacts& method : methods_) {
    if (name.empty() || method.name == name) return &method;
    names += (names.empty() ? "" : ", ") + method.name;
  }
  return Status::invalid("the model has no method " + quote(name) + "; it has: " + names);
}

}  // namespace vgfio
