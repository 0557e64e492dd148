// Reading of FlatBuffers tables with every offset checked against the buffer:
// what a damaged file points to outside reads as absent.
//
// ExecuTorch's public headers show neither the dynamism of a shape nor which
// tensors a delegate call takes; both are in the file. Its generated accessors
// are not shipped, and the distribution's FlatBuffers headers do not fit the
// compiler that the wheel ships.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace vgfio {

// The bytes of a FlatBuffer; not owned.
struct FlatBytes {
  const uint8_t* data = nullptr;
  size_t size = 0;

  // The little-endian value at `offset`; `fallback` if it is not all inside.
  template <typename T>
  T read(size_t offset, T fallback) const {
    if (offset > size || sizeof(T) > size - offset) return fallback;
    T value;
    std::memcpy(&value, data + offset, sizeof(T));
    return value;
  }
  // The position that the 32-bit offset stored at `at` points to; 0 if outside.
  size_t follow(size_t at) const;
};

class FlatVector;

// A table; an absent one has only absent fields. `slot` counts the fields in
// the order of the schema, a union taking two (its type, then its value).
class FlatTable {
 public:
  FlatTable() = default;
  FlatTable(FlatBytes bytes, size_t position) : bytes_(bytes), position_(position) {}
  static FlatTable root(FlatBytes bytes) { return {bytes, bytes.follow(0)}; }

  bool present() const { return position_ != 0; }
  bool has(size_t slot) const { return field(slot) != 0; }

  template <typename T>
  T scalar(size_t slot, T fallback) const {
    const size_t at = field(slot);
    return at == 0 ? fallback : bytes_.read<T>(at, fallback);
  }
  FlatTable table(size_t slot) const;
  FlatVector vector(size_t slot) const;
  std::string string(size_t slot) const;

 private:
  // Position of the field's value; 0 if absent.
  size_t field(size_t slot) const;

  FlatBytes bytes_;
  size_t position_ = 0;
};

// A vector of scalars or of tables; an absent one is empty.
class FlatVector {
 public:
  FlatVector() = default;
  FlatVector(FlatBytes bytes, size_t position) : bytes_(bytes), position_(position) {}

  // Elements; never more than bytes in the buffer.
  size_t size() const;
  template <typename T>
  T scalar(size_t index, T fallback) const {
    return bytes_.read<T>(position_ + sizeof(uint32_t) + index * sizeof(T), fallback);
  }
  FlatTable table(size_t index) const;

 private:
  FlatBytes bytes_;
  size_t position_ = 0;
};

}  // namespace vgfio
