#include "runner/cpu_threads.h"

#include <cstddef>

#ifdef VGFIO_NO_THREADPOOL

namespace vgfio {

// A build without ExecuTorch's thread pool: the kernels run on the caller's thread.
void set_cpu_threads(int32_t) {}

}  // namespace vgfio

#else

// The wheel ships this library without its headers: these are the exported
// symbols that are used here.
namespace executorch::extension {
namespace cpuinfo {
uint32_t get_num_performant_cores();
}
namespace threadpool {
class ThreadPool {
 public:
  bool _unsafe_reset_threadpool(uint32_t new_thread_count);
};
ThreadPool* get_threadpool();
}  // namespace threadpool
}  // namespace executorch::extension

namespace vgfio {

void set_cpu_threads(int32_t threads) {
  namespace ext = executorch::extension;
  const uint32_t count =
      threads < 0 ? ext::cpuinfo::get_num_performant_cores() : static_cast<uint32_t>(threads);
  if (count > 0) ext::threadpool::get_threadpool()->_unsafe_reset_threadpool(count);
}

}  // namespace vgfio

#endif
