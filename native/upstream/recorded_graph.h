// The commands of a backend's graph, recorded once more with other tensors in its
// descriptor sets. The pipelines, sessions and sets stay the backend's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "stats/record.h"
#include "upstream/upstream_vgf.h"
#include "vgf/boundary.h"
#include "vulkan/commands.h"

namespace vgfio {

class RecordedGraph {
 public:
  // `timestamps` (may be null) are the backend's own queries, which it reads after
  // every submission. A null pointer if `backend` and `vgf` do not fit each other.
  static Result<std::unique_ptr<RecordedGraph>> create(Device& device,
                                                       std::vector<UpstreamSegment> backend,
                                                       const std::vector<Segment>& vgf,
                                                       VkQueryPool timestamps);
  ~RecordedGraph();
  RecordedGraph(const RecordedGraph&) = delete;
  RecordedGraph& operator=(const RecordedGraph&) = delete;

  // What stands for a resource: the caller's memory or, for null, the backend's own.
  void bind(uint32_t resource, const UpstreamTensor& own, std::shared_ptr<Boundary> imported);
  // Writes the descriptors of resources that changed. The device must be idle.
  Status write();
  // Lets go of imports; write() must come before the next submission.
  void forget(const std::function<bool(const std::byte*)>& base);

  // Whether the backend's own commands no longer fit the sets.
  bool changed() const { return changed_; }
  Result<VkCommandBuffer> commands(bool profile);

  bool has_timestamps() const { return static_cast<bool>(queries_); }
  // After the profiled commands are done.
  void read_device_time(Record& record) const;

 private:
  struct Bound {
    UpstreamTensor own;
    std::shared_ptr<Boundary> imported;
    bool written = true;  // the backend has written its own
  };

  RecordedGraph(Device& device, VkQueryPool timestamps)
      : device_(device), backend_timestamps_(timestamps) {}
  static Descriptor describe(const Bound& bound);
  void record(VkCommandBuffer commands, bool profile) const;
  void drop_commands();

  Device& device_;
  VkQueryPool backend_timestamps_;
  CommandPool pool_;
  Handle<VkQueryPool> queries_;
  std::vector<UpstreamSegment> segments_;
  std::vector<std::vector<Binding>> bindings_;  // by segment
  std::map<uint32_t, Bound> bound_;             // by resource
  bool changed_ = false;
  VkCommandBuffer plain_ = VK_NULL_HANDLE;
  VkCommandBuffer profiled_ = VK_NULL_HANDLE;
};

}  // namespace vgfio
