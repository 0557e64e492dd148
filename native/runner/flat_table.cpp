#include "runner/flat_table.h"

#include <algorithm>

namespace vgfio {

size_t FlatBytes::follow(size_t at) const {
  const auto offset = read<uint32_t>(at, 0);
  if (offset == 0 || offset > size || at > size - offset) return 0;
  return at + offset;
}

size_t FlatTable::field(size_t slot) const {
  if (position_ == 0) return 0;
  // The table begins with the signed distance back to its vtable, which is
  // [bytes of the vtable, bytes of the table, offset of each field...].
  const int64_t vtable = static_cast<int64_t>(position_) - bytes_.read<int32_t>(position_, 0);
  if (vtable < 0 || static_cast<uint64_t>(vtable) >= bytes_.size) return 0;
  const auto at = static_cast<size_t>(vtable);
  const size_t entry = (2 + slot) * sizeof(uint16_t);
  if (entry + sizeof(uint16_t) > bytes_.read<uint16_t>(at, 0)) return 0;
  const auto offset = bytes_.read<uint16_t>(at + entry, 0);
  return offset == 0 ? 0 : position_ + offset;
}

FlatTable FlatTable::table(size_t slot) const {
  const size_t at = field(slot);
  return at == 0 ? FlatTable() : FlatTable(bytes_, bytes_.follow(at));
}

FlatVector FlatTable::vector(size_t slot) const {
  const size_t at = field(slot);
  return at == 0 ? FlatVector() : FlatVector(bytes_, bytes_.follow(at));
}

std::string FlatTable::string(size_t slot) const {
  const FlatVector characters = vector(slot);
  std::string text;
  for (size_t i = 0; i < characters.size(); ++i) text += characters.scalar<char>(i, '?');
  return text;
}

size_t FlatVector::size() const {
  if (position_ == 0) return 0;
  return std::min<size_t>(bytes_.read<uint32_t>(position_, 0), bytes_.size - position_);
}

FlatTable FlatVector::table(size_t index) const {
  if (index >= size()) return {};
  return {bytes_, bytes_.follow(position_ + sizeof(uint32_t) * (1 + index))};
}

}  // namespace vgfio
