#include "stand_in_backend.h"

#include <dlfcn.h>

#include <cstring>

#include "upstream/upstream_vgf.h"

namespace executorch {
namespace backends {
namespace vgf {

using vgfio::Result;
using vgfio::Status;

Result<std::unique_ptr<VgfRepr>> VgfRepr::create(std::shared_ptr<vgfio::Device> device,
                                                 const vgfio::testing::VgfBytes& vgf) {
  auto repr = std::make_unique<VgfRepr>();
  repr->device = std::move(device);
  VGFIO_RETURN_IF_ERROR(repr->configure(vgf));
  return repr;
}

Status VgfRepr::configure(const vgfio::testing::VgfBytes& vgf) {
  VGFIO_ASSIGN_OR_RETURN(model, vgfio::decode_vgf(vgf.data(), vgf.size()));
  VGFIO_ASSIGN_OR_RETURN(plan, vgfio::plan_session(model, false));
  VGFIO_ASSIGN_OR_RETURN(pool, vgfio::CommandPool::create(*device));
  VGFIO_ASSIGN_OR_RETURN(fixed, vgfio::FixedResources::create(*device, pool, model, plan));
  for (const vgfio::Segment& segment : model.segments) {
    VGFIO_ASSIGN_OR_RETURN(vgfio::SegmentPipeline pipeline,
                           vgfio::SegmentPipeline::create(*device, model, plan, segment));
    pipelines.push_back(std::move(pipeline));
  }
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    VGFIO_RETURN_IF_ERROR(add_io(model.inputs[i], false, i));
  }
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    VGFIO_RETURN_IF_ERROR(add_io(model.outputs[i], true, i));
  }
  vgfio::BindingContext context;
  context.device = device.get();
  context.pool = &pool;
  context.model = &model;
  context.plan = &plan;
  context.segments = &pipelines;
  context.fixed = &fixed.objects();
  std::vector<vgfio::BoundaryUse> uses;
  for (const Io& one : ios) {
    if (one.own != nullptr) uses.push_back({one.resource, one.own});
  }
  VGFIO_ASSIGN_OR_RETURN(bindings, vgfio::BindingSet::create(context, std::move(uses)));
  VGFIO_ASSIGN_OR_RETURN(commands, bindings->commands(false));
  return Status();
}

Status VgfRepr::add_io(const vgfio::BoundaryResource& resource, bool output, size_t index) {
  Io one;
  one.output = output;
  one.index = index;
  if (resource) {
    one.resource = *resource;
    vgfio::BoundaryTensor tensor(model.resources[*resource], plan.resources[*resource], output);
    VGFIO_ASSIGN_OR_RETURN(one.own, tensor.own(*device, vgfio::CopyMemory::kAuto));
  }
  ios.push_back(std::move(one));
  return Status();
}

runtime::Error VgfRepr::execute(runtime::Span<runtime::EValue*> args) {
  const vgfio::DelegateIo::Inference inference(*io, args);
  if (inference.error() != runtime::Error::Ok) return inference.error();
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    if (ios[i].own == nullptr || io->bound(i)) continue;
    const auto copy = io->time_copy(i);
    const auto tensor = args[i]->toTensor();
    std::memcpy(ios[i].own->mapped(), tensor.const_data_ptr(), tensor.nbytes());
  }
  {
    const auto submit_time = io->time_submit();
    if (!pool.submit_and_wait(commands).ok()) return runtime::Error::Internal;
  }
  for (size_t i = model.inputs.size(); i < ios.size(); ++i) {
    if (ios[i].own == nullptr || io->bound(i)) continue;
    const auto copy = io->time_copy(i);
    const auto tensor = args[i]->toTensor();
    std::memcpy(tensor.mutable_data_ptr(), ios[i].own->mapped(), tensor.nbytes());
  }
  return runtime::Error::Ok;
}

}  // namespace vgf
}  // namespace backends
}  // namespace executorch

// As native/upstream/upstream_vgf.cpp does for ExecuTorch's VgfRepr.
namespace vgfio {

VkInstance UpstreamVgf::instance() const { return repr_.device->instance().handle(); }

PFN_vkGetInstanceProcAddr UpstreamVgf::loader() {
  void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
}

Device::Open UpstreamVgf::open_device() const {
  const Device& device = *repr_.device;
  return {device.instance().physical_devices()[device.plan().index], device.handle(),
          device.queue(), device.plan().queue_family, device.plan().extensions};
}

size_t UpstreamVgf::count(vgfio_direction direction) const {
  return direction == VGFIO_INPUT ? repr_.model.inputs.size() : repr_.model.outputs.size();
}

std::optional<UpstreamTensor> UpstreamVgf::tensor(vgfio_direction direction, size_t index) const {
  if (index >= count(direction)) return std::nullopt;
  const size_t first = direction == VGFIO_INPUT ? 0 : repr_.model.inputs.size();
  const auto& io = repr_.ios[first + index];
  if (io.own == nullptr) return std::nullopt;
  UpstreamTensor tensor;
  tensor.bytes = repr_.model.resources[io.resource].bytes;
  tensor.mapped = io.own->mapped();
  tensor.tensor = io.own->object.tensor.get();
  tensor.tensor_view = io.own->object.tensor_view.get();
  tensor.buffer = io.own->object.buffer.get();
  return tensor;
}

std::vector<UpstreamSegment> UpstreamVgf::segments() const {
  std::vector<UpstreamSegment> segments;
  for (size_t i = 0; i < repr_.pipelines.size(); ++i) {
    segments.push_back({repr_.pipelines[i].commands(), repr_.bindings->sets()[i]});
  }
  return segments;
}

bool UpstreamVgf::has_images() const {
  for (const ResourceObject& object : repr_.fixed.objects()) {
    if (object.image.get() != VK_NULL_HANDLE) return true;
  }
  return false;
}

VkQueryPool UpstreamVgf::timestamps() const { return VK_NULL_HANDLE; }
VkCommandBuffer UpstreamVgf::commands() const { return repr_.commands; }
void UpstreamVgf::set_commands(VkCommandBuffer commands) { repr_.commands = commands; }
void UpstreamVgf::give(std::unique_ptr<DelegateIo> io) { repr_.io = std::move(io); }
void UpstreamVgf::destroy() { repr_.destroyed = true; }

}  // namespace vgfio
