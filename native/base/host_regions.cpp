#include "base/host_regions.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace vgfio {
namespace {

struct Entry {
  HostRegion region;
  size_t count = 0;
};

struct Registry {
  std::mutex mutex;
  std::mutex listeners_mutex;  // of its own: a listener may look regions up
  std::vector<HostRegionListener*> listeners;
  std::map<uintptr_t, Entry> entries;  // by base address
  std::atomic<uint64_t> generation{1};
};

Registry& registry() {
  static Registry instance;
  return instance;
}

uintptr_t address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// The entry whose region begins at or before `address`, or null.
Entry* entry_before(std::map<uintptr_t, Entry>& entries, uintptr_t address) {
  auto next = entries.upper_bound(address);
  return next == entries.begin() ? nullptr : &std::prev(next)->second;
}

bool overlaps(std::map<uintptr_t, Entry>& entries, uintptr_t begin, uintptr_t end) {
  const Entry* before = entry_before(entries, begin);
  if (before != nullptr && address_of(before->region.base) + before->region.capacity > begin) {
    return true;
  }
  const auto next = entries.upper_bound(begin);
  return next != entries.end() && next->first < end;
}

}  // namespace

bool note_host_region(const HostRegion& region) {
  Registry& shared = registry();
  const std::lock_guard lock(shared.mutex);
  const uintptr_t begin = address_of(region.base);
  const auto same = shared.entries.find(begin);
  if (same != shared.entries.end() && same->second.region.capacity == region.capacity) {
    ++same->second.count;
    return true;
  }
  if (overlaps(shared.entries, begin, begin + region.capacity)) return false;
  shared.entries[begin] = Entry{region, 1};
  ++shared.generation;
  return true;
}

void forget_host_region(const void* base) {
  Registry& shared = registry();
  HostRegion forgotten;
  {
    const std::lock_guard lock(shared.mutex);
    const auto entry = shared.entries.find(address_of(base));
    if (entry == shared.entries.end() || --entry->second.count > 0) return;
    forgotten = entry->second.region;
    shared.entries.erase(entry);
    ++shared.generation;
  }
  const std::lock_guard lock(shared.listeners_mutex);
  for (HostRegionListener* listener : shared.listeners) listener->region_forgotten(forgotten);
}

void add_host_region_listener(HostRegionListener* listener) {
  const std::lock_guard lock(registry().listeners_mutex);
  registry().listeners.push_back(listener);
}

void remove_host_region_listener(HostRegionListener* listener) {
  const std::lock_guard lock(registry().listeners_mutex);
  auto& listeners = registry().listeners;
  listeners.erase(std::remove(listeners.begin(), listeners.end(), listener), listeners.end());
}

std::optional<HostRegion> find_host_region(const void* pointer, size_t bytes) {
  Registry& shared = registry();
  const std::lock_guard lock(shared.mutex);
  const uintptr_t begin = address_of(pointer);
  const Entry* entry = entry_before(shared.entries, begin);
  if (entry == nullptr) return std::nullopt;
  const size_t offset = begin - address_of(entry->region.base);
  const size_t capacity = entry->region.capacity;
  if (offset > capacity || bytes > capacity - offset) return std::nullopt;
  return entry->region;
}

uint64_t host_region_generation() { return registry().generation.load(); }

}  // namespace vgfio
