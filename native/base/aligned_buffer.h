// Host memory with a chosen alignment and a capacity rounded up to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/status.h"

namespace vgfio {

constexpr bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

// Rounds up to a multiple of `alignment`, a power of two. The caller makes sure
// that the sum does not overflow.
constexpr uint64_t round_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

// Largest power of two that divides the address; 0 for a null pointer.
inline uint64_t alignment_of(const void* pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  return address & (~address + 1);
}

// Owns `capacity` bytes, a multiple of `alignment`, at an address that is a
// multiple of it. Movable, freed with its owner.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;

  // Errors: alignment no power of two; size 0 is rounded up to one alignment.
  static Result<AlignedBuffer> allocate(size_t bytes, size_t alignment);

  std::byte* data() const { return memory_.get(); }
  size_t capacity() const { return capacity_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  size_t capacity_ = 0;
};

}  // namespace vgfio
