#include "runner/mapped_memory.h"

#include <cstdint>
#include <cstdio>
#include <memory>

namespace vgfio {

MappedAccess mapped_access(const void* data, size_t bytes) {
  const std::unique_ptr<FILE, int (*)(FILE*)> maps(std::fopen("/proc/self/maps", "re"),
                                                   std::fclose);
  if (maps == nullptr) return MappedAccess::kUnknown;
  uintptr_t next = reinterpret_cast<uintptr_t>(data);  // the first byte not yet accounted for
  const uintptr_t end = next + bytes;
  bool writable = true;
  char line[512];
  // The mappings come in ascending order.
  while (next < end && std::fgets(line, sizeof(line), maps.get()) != nullptr) {
    unsigned long long from = 0;
    unsigned long long to = 0;
    char access[5] = "";
    if (std::sscanf(line, "%llx-%llx %4s", &from, &to, access) != 3) continue;
    if (next < from) return MappedAccess::kUnmapped;
    if (next >= to) continue;
    if (access[0] != 'r') return MappedAccess::kUnmapped;
    writable = writable && access[1] == 'w';
    next = to;
  }
  if (next < end) return MappedAccess::kUnmapped;
  return writable ? MappedAccess::kWritable : MappedAccess::kReadOnly;
}

}  // namespace vgfio
