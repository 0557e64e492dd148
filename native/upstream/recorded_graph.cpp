#include "upstream/recorded_graph.h"

#include <algorithm>

#include "vulkan/device_time.h"
#include "vulkan/error.h"

namespace vgfio {
namespace {

bool fits(const UpstreamSegment& backend, const Segment& vgf) {
  return backend.commands.graph == (vgf.kind == SegmentKind::kGraph) &&
         std::all_of(vgf.bindings.begin(), vgf.bindings.end(), [&backend](const Binding& binding) {
           return binding.set < backend.sets.size();
         });
}

}  // namespace

Result<std::unique_ptr<RecordedGraph>> RecordedGraph::create(Device& device,
                                                             std::vector<UpstreamSegment> backend,
                                                             const std::vector<Segment>& vgf,
                                                             VkQueryPool timestamps) {
  if (!std::equal(backend.begin(), backend.end(), vgf.begin(), vgf.end(), fits)) {
    return std::unique_ptr<RecordedGraph>();
  }
  std::unique_ptr<RecordedGraph> graph(new RecordedGraph(device, timestamps));
  VGFIO_ASSIGN_OR_RETURN(graph->pool_, CommandPool::create(device));
  VGFIO_ASSIGN_OR_RETURN(graph->queries_, create_timestamps(device));
  graph->segments_ = std::move(backend);
  for (const Segment& segment : vgf) graph->bindings_.push_back(segment.bindings);
  return graph;
}

RecordedGraph::~RecordedGraph() { drop_commands(); }

void RecordedGraph::drop_commands() {
  for (VkCommandBuffer* commands : {&plain_, &profiled_}) {
    if (*commands != VK_NULL_HANDLE) pool_.free(*commands);
    *commands = VK_NULL_HANDLE;
  }
}

void RecordedGraph::bind(uint32_t resource, const UpstreamTensor& own,
                         std::shared_ptr<Boundary> imported) {
  Bound& bound = bound_[resource];
  bound.own = own;
  if (bound.imported == imported) return;
  bound.imported = std::move(imported);
  bound.written = false;
}

void RecordedGraph::forget(const std::function<bool(const std::byte*)>& base) {
  for (auto& [resource, bound] : bound_) {
    if (bound.imported == nullptr || !base(bound.imported->host_base)) continue;
    bound.imported.reset();
    bound.written = false;
  }
}

Descriptor RecordedGraph::describe(const Bound& bound) {
  const ResourceObject* object = bound.imported != nullptr ? &bound.imported->object : nullptr;
  Descriptor descriptor;
  descriptor.type = bound.own.tensor != VK_NULL_HANDLE ? VK_DESCRIPTOR_TYPE_TENSOR_ARM
                                                       : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  descriptor.tensor_view =
      object != nullptr ? object->tensor_view.get() : bound.own.tensor_view;
  descriptor.buffer = object != nullptr ? object->buffer.get() : bound.own.buffer;
  return descriptor;
}

Status RecordedGraph::write() {
  const bool same = std::all_of(bound_.begin(), bound_.end(),
                                [](const auto& entry) { return entry.second.written; });
  if (same) return Status();
  for (size_t segment = 0; segment < segments_.size(); ++segment) {
    for (const Binding& binding : bindings_[segment]) {
      const auto found = bound_.find(binding.resource);
      if (found == bound_.end() || found->second.written) continue;
      Descriptor descriptor = describe(found->second);
      descriptor.set = segments_[segment].sets[binding.set];
      descriptor.binding = binding.binding;
      write_descriptor(device_, descriptor);
    }
  }
  for (auto& entry : bound_) entry.second.written = true;
  // A set that was written since makes recorded commands invalid.
  drop_commands();
  changed_ = true;
  return Status();
}

Result<VkCommandBuffer> RecordedGraph::commands(bool profile) {
  VkCommandBuffer& commands = profile ? profiled_ : plain_;
  if (commands == VK_NULL_HANDLE) {
    VGFIO_ASSIGN_OR_RETURN(
        commands, pool_.record([&](VkCommandBuffer buffer) { record(buffer, profile); }));
  }
  return commands;
}

void RecordedGraph::record(VkCommandBuffer commands, bool profile) const {
  make_visible_to_device(device_, commands);
  const VkQueryPool pools[] = {backend_timestamps_, profile ? queries_.get() : VK_NULL_HANDLE};
  for (const VkQueryPool pool : pools) begin_timestamps(device_, commands, pool);
  for (size_t i = 0; i < segments_.size(); ++i) {
    if (i > 0) separate_commands(device_, commands);
    record_segment(device_, commands, segments_[i].commands, segments_[i].sets);
  }
  for (const VkQueryPool pool : pools) end_timestamps(device_, commands, pool);
  make_visible_to_host(device_, commands);
}

void RecordedGraph::read_device_time(Record& record) const {
  const Result<uint64_t> elapsed = elapsed_ns(device_, queries_.get());
  if (!elapsed.ok()) return;
  record.gpu_ns += *elapsed;
  record.gpu_ns_valid = 1;
}

}  // namespace vgfio
