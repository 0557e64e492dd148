// The record of one inference and what is done with it. The fields, their
// units and meanings are those of vgfio_record in the C interface.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "vgf_io_bench.h"

namespace vgfio {

using Record = vgfio_record;

// Adds a delegate's part to the whole; latency_ns and start_ns are the whole's
// own. gpu_ns stays valid only while every part has it.
void add_part(Record& whole, const Record& part, bool first_part);

#ifdef EXECUTORCH_VGF_IO_STATS

// Adds `value` to a field of a record that may be null.
#define VGFIO_ADD(record, field, value) \
  do {                                  \
    if ((record) != nullptr) (record)->field += (value); \
  } while (false)

// Adds the rest of the scope's time to a field of a record that may be null.
#define VGFIO_TIME(record, field) \
  const ::vgfio::ScopedTimer vgfio_timer_##field((record) != nullptr ? &(record)->field : nullptr)

// Adds the life time of the object to *field; does nothing for a null field.
class ScopedTimer {
 public:
  explicit ScopedTimer(uint64_t* field) : field_(field), begin_(field ? now_ns() : 0) {}
  ~ScopedTimer() {
    if (field_ != nullptr) *field_ += now_ns() - begin_;
  }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  uint64_t* field_;
  uint64_t begin_;
};

#else

#define VGFIO_ADD(record, field, value) static_cast<void>(record)
#define VGFIO_TIME(record, field) static_cast<void>(record)

#endif

}  // namespace vgfio
