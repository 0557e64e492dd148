// Binds the caller's buffers to a method's inputs and outputs and keeps them
// bound over many inferences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <executorch/runtime/executor/method.h>

#include "base/status.h"
#include "runner/noted_region.h"
#include "runner/program_facts.h"
#include "runner/tensor_info.h"

namespace vgfio {

// Buffers stay their owner's and must be valid while bound. A buffer is noted
// as a host region, so that the delegate knows how far it may import.
//
// Where the method keeps a tensor in its own memory, the runtime cannot use the
// buffer: a memory-planned input is copied in by begin_inference(), a planned,
// constant or passed-through output is copied out by end_run().
class IoBinding {
 public:
  // `method` and `facts` must outlive the binding; the infos are those of
  // describe_tensors().
  IoBinding(executorch::runtime::Method& method, const MethodFacts& facts,
            std::vector<vgfio_tensor_info> inputs, std::vector<vgfio_tensor_info> outputs);

  // `own_memory` marks a buffer that the delegate lent: it is not noted. Errors
  // (VGFIO_INVALID_REQUEST): no such tensor, null, too small, misaligned for
  // the element type, an output in memory that cannot be written.
  Status bind(vgfio_direction direction, size_t index, void* data, size_t capacity,
              bool own_memory = false);
  Status unbind(vgfio_direction direction, size_t index);
  // An error that names the first input or output without a buffer.
  Status check_complete() const;

  // Before each inference; does nothing unless an input is memory-planned.
  // Allocates nothing.
  Status begin_inference() { return has_planned_inputs_ ? copy_planned_inputs() : Status(); }
  // After the last inference: fills the bound buffers of outputs that the
  // method keeps elsewhere.
  Status end_run();

  // The bound buffer, or null.
  std::byte* data(vgfio_direction direction, size_t index) const;

 private:
  struct Tensor {
    vgfio_tensor_info info{};
    std::vector<int32_t> sizes;
    std::vector<uint8_t> dim_order;
    std::vector<int32_t> strides;
    std::byte* data = nullptr;
    NotedRegion region;
    std::unique_ptr<executorch::aten::TensorImpl> value;  // of a bound input
    bool direct = true;  // the runtime reads or writes the buffer itself
  };

  std::vector<Tensor>& tensors(vgfio_direction direction);
  Result<Tensor*> find(vgfio_direction direction, size_t index);
  Status set_input(Tensor& tensor, size_t index);
  Status set_output(Tensor& tensor, size_t index);
  Status copy_planned_inputs();
  // True if that output is also an input, or an earlier output.
  bool passed_through(size_t output) const;

  executorch::runtime::Method& method_;
  const MethodFacts& facts_;
  std::vector<Tensor> inputs_;
  std::vector<Tensor> outputs_;
  bool has_planned_inputs_ = false;
};

}  // namespace vgfio
