// A backend that stands in for ExecuTorch's: its VgfRepr has the same parts (an own
// mapped memory per input and output, descriptor sets written once, one recorded
// command buffer) and calls the hooks at the same places. Everything that it does on
// the device is real.
#pragma once

#include <memory>
#include <vector>

#include "test_models.h"
#include "upstream/hooks.h"
#include "vgf/binding_set.h"
#include "vgf/fixed_resources.h"

namespace executorch {
namespace backends {
namespace vgf {

class VgfRepr {
 public:
  // What init() does, without DelegateIo::attach().
  static vgfio::Result<std::unique_ptr<VgfRepr>> create(std::shared_ptr<vgfio::Device> device,
                                                        const vgfio::testing::VgfBytes& vgf);
  // What execute() does.
  runtime::Error execute(runtime::Span<runtime::EValue*> args);

  // An input or output with the backend's own memory; nothing if eliminated.
  struct Io {
    bool output = false;
    size_t index = 0;
    uint32_t resource = 0;
    std::shared_ptr<vgfio::Boundary> own;
  };

  std::shared_ptr<vgfio::Device> device;
  vgfio::Model model;
  vgfio::Plan plan;
  vgfio::CommandPool pool;
  vgfio::FixedResources fixed;
  std::vector<vgfio::SegmentPipeline> pipelines;
  std::vector<Io> ios;  // inputs, then outputs
  std::unique_ptr<vgfio::BindingSet> bindings;
  VkCommandBuffer commands = VK_NULL_HANDLE;  // what execute() submits
  std::unique_ptr<vgfio::DelegateIo> io;
  bool destroyed = false;

 private:
  vgfio::Status configure(const vgfio::testing::VgfBytes& vgf);
  vgfio::Status add_io(const vgfio::BoundaryResource& resource, bool output, size_t index);
};

}  // namespace vgf
}  // namespace backends
}  // namespace executorch
