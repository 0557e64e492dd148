#include "delegate/device_cache.h"

#include <map>
#include <mutex>

#include "base/clock.h"

namespace vgfio {
namespace {

struct Cache {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Device>> devices;  // by request
};

// Never destroyed: closing a device in static destruction would come after the
// layer libraries are gone. close_shared_devices() empties it in time.
Cache& cache() {
  static auto* instance = new Cache;
  return *instance;
}

}  // namespace

Result<std::shared_ptr<Device>> shared_device(const std::string& request, uint64_t* opened_ns) {
  const std::lock_guard lock(cache().mutex);
  if (opened_ns != nullptr) *opened_ns = 0;
  const auto known = cache().devices.find(request);
  if (known != cache().devices.end()) return known->second;
  const uint64_t begin = now_ns();
  VGFIO_ASSIGN_OR_RETURN(std::shared_ptr<Device> device, Device::open({request}));
  if (opened_ns != nullptr) *opened_ns = now_ns() - begin;
  cache().devices[request] = device;
  return device;
}

void close_shared_devices() {
  const std::lock_guard lock(cache().mutex);
  cache().devices.clear();
}

}  // namespace vgfio
