#include "stats/record.h"

namespace vgfio {

void add_part(Record& whole, const Record& part, bool first_part) {
  whole.execute_ns += part.execute_ns;
  whole.in_copy_bytes += part.in_copy_bytes;
  whole.out_copy_bytes += part.out_copy_bytes;
  whole.in_memcpy_ns += part.in_memcpy_ns;
  whole.out_memcpy_ns += part.out_memcpy_ns;
  whole.in_zero_copy_bytes += part.in_zero_copy_bytes;
  whole.out_zero_copy_bytes += part.out_zero_copy_bytes;
  whole.imports += part.imports;
  whole.import_ns += part.import_ns;
  whole.binding_refreshes += part.binding_refreshes;
  whole.binding_refresh_ns += part.binding_refresh_ns;
  whole.submit_wait_ns += part.submit_wait_ns;
  whole.fallback_count += part.fallback_count;
  whole.rejection_count += part.rejection_count;
  const bool valid = part.gpu_ns_valid != 0 && (first_part || whole.gpu_ns_valid != 0);
  whole.gpu_ns_valid = valid ? 1 : 0;
  whole.gpu_ns = valid ? whole.gpu_ns + part.gpu_ns : 0;
}

}  // namespace vgfio
