// A loaded method and all the memory that the runtime wants for it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <executorch/extension/data_loader/file_data_loader.h>
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/extension/memory_allocator/malloc_memory_allocator.h>
#include <executorch/runtime/backend/options.h>
#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/executor/memory_manager.h>
#include <executorch/runtime/executor/method.h>

#include "base/aligned_buffer.h"
#include "base/status.h"
#include "runner/noted_region.h"
#include "runner/program.h"

namespace vgfio {

// What the VGF delegate is told when the method is loaded; what is not set
// follows the environment or the delegate's own default.
struct DelegateChoice {
  std::optional<vgfio_io_mode> io_mode;
  std::optional<vgfio_wait> wait;
  std::string device;
  bool require_zero_copy = false;
  vgfio_copy_memory copy_memory = VGFIO_COPY_MEMORY_AUTO;
  uint32_t binding_sets = 0;  // 0: the delegate's default
};

class LoadedMethod {
 public:
  // `model` and `tracer` (may be null) must outlive the method. Initialises the
  // delegates: from here on a device may be touched. Errors: the delegate's own
  // Status, or VGFIO_INVALID_REQUEST with what the runtime said.
  static Result<std::unique_ptr<LoadedMethod>> load(const ModelProgram& model,
                                                    const MethodFacts& facts,
                                                    const std::string& data_path,
                                                    const DelegateChoice& choice,
                                                    executorch::runtime::EventTracer* tracer);
  LoadedMethod(const LoadedMethod&) = delete;
  LoadedMethod& operator=(const LoadedMethod&) = delete;

  executorch::runtime::Method& method() { return *method_; }

 private:
  LoadedMethod() = default;
  Status load_data(const std::string& path);
  Status plan_memory(const executorch::runtime::MethodMeta& meta);

  // In the order of need: the method goes first, what it uses after it.
  std::unique_ptr<executorch::extension::FileDataLoader> data_loader_;
  std::optional<executorch::extension::FlatTensorDataMap> data_map_;
  std::vector<AlignedBuffer> planned_buffers_;
  std::vector<NotedRegion> planned_regions_;
  std::vector<executorch::runtime::Span<uint8_t>> planned_spans_;
  std::optional<executorch::runtime::HierarchicalAllocator> planned_memory_;
  executorch::extension::MallocMemoryAllocator method_allocator_;
  executorch::extension::MallocMemoryAllocator temp_allocator_;
  std::optional<executorch::runtime::MemoryManager> memory_manager_;
  std::optional<executorch::runtime::Method> method_;
};

}  // namespace vgfio
