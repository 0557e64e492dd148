#include "runner/inputs.h"

#include <cstring>
#include <fstream>

#include <executorch/runtime/core/portable_type/bfloat16.h>
#include <executorch/runtime/core/portable_type/half.h>

#include "runner/file_errors.h"
#include "runner/tensor_info.h"

namespace vgfio {
namespace {

using executorch::runtime::etensor::BFloat16;
using executorch::runtime::etensor::Half;

// SplitMix64: a full-period generator of one addition and a mix, so that tens
// of megabytes are filled in no time and the same on every platform.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Uniform in [-1, 1), a multiple of 2^-23.
  float unit() { return static_cast<float>(next() >> 40) * 0x1p-23f - 1.0f; }
  int64_t between(int64_t low, int64_t high) {  // [low, high), high - low a power of two
    return low + static_cast<int64_t>(next() & static_cast<uint64_t>(high - low - 1));
  }

 private:
  uint64_t state_;
};

template <typename T, typename Make>
void fill(std::byte* data, size_t bytes, Make make) {
  for (size_t offset = 0; offset + sizeof(T) <= bytes; offset += sizeof(T)) {
    const T value = static_cast<T>(make());
    std::memcpy(data + offset, &value, sizeof(T));
  }
}

// Calls visit(T()) for the element type of that name; bytes for unknown ones.
template <typename Visit>
void visit_dtype(std::string_view dtype, Visit visit) {
  if (dtype == "float32") return visit(float());
  if (dtype == "float64") return visit(double());
  if (dtype == "float16") return visit(Half());
  if (dtype == "bfloat16") return visit(BFloat16());
  if (dtype == "bool") return visit(bool());
  if (dtype == "int8") return visit(int8_t());
  if (dtype == "int16") return visit(int16_t());
  if (dtype == "int32") return visit(int32_t());
  if (dtype == "int64") return visit(int64_t());
  if (dtype == "uint16") return visit(uint16_t());
  if (dtype == "uint32") return visit(uint32_t());
  if (dtype == "uint64") return visit(uint64_t());
  return visit(uint8_t());
}

template <typename T>
constexpr bool kIsFloating =
    std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string input_name(size_t index, const vgfio_tensor_info& info) {
  return "input " + std::to_string(index) + " (" + describe(info) + ")";
}

Status check_file_bytes(const std::string& path, const vgfio_tensor_info& info, size_t index) {
  const auto bytes = regular_file_bytes(path);
  if (!bytes.ok()) return bytes.status().with_context("input " + std::to_string(index));
  if (*bytes == info.bytes) return {};
  return Status::invalid(input_name(index, info) + " needs " + std::to_string(info.bytes) +
                         " bytes, " + quote(path) + " has " + std::to_string(*bytes));
}

}  // namespace

Result<std::vector<std::string>> parse_input_list(std::string_view text) {
  std::vector<std::string> paths;
  if (trim(text).empty()) return paths;
  std::vector<std::string> entries(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',';
    if (escaped) {
      entries.back() += text[++i];
    } else if (text[i] == ',') {
      entries.emplace_back();
    } else {
      entries.back() += text[i];
    }
  }
  for (const std::string& entry : entries) {
    const std::string_view name = trim(entry);
    if (name.empty()) {
      return Status::invalid("the list of inputs has an empty entry at position " +
                             std::to_string(paths.size()) +
                             "; remove the extra comma (a comma of a name is written \\,)");
    }
    paths.emplace_back(name);
  }
  return paths;
}

Status check_input_files(const std::vector<std::string>& paths,
                         const std::vector<vgfio_tensor_info>& infos) {
  if (paths.size() != infos.size()) {
    return Status::invalid("the method has " + std::to_string(infos.size()) + " inputs, " +
                           std::to_string(paths.size()) +
                           " files are given; give one for each, in order");
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    VGFIO_RETURN_IF_ERROR(check_file_bytes(paths[i], infos[i], i));
  }
  return {};
}

Status read_input_file(const std::string& path, const vgfio_tensor_info& info, size_t index,
                       std::byte* data) {
  VGFIO_RETURN_IF_ERROR(check_file_bytes(path, info, index));
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(info.bytes))) {
    return Status::invalid(input_name(index, info) + ": cannot read " + quote(path));
  }
  return {};
}

void fill_synthetic(const vgfio_tensor_info& info, uint64_t seed, std::byte* data) {
  Random random(seed);
  visit_dtype(info.dtype, [&](auto type) {
    using T = decltype(type);
    fill<T>(data, info.bytes, [&random] {
      if constexpr (kIsFloating<T>)
        return random.unit();
      else if constexpr (std::is_same_v<T, bool>)
        return random.between(0, 2) != 0;
      // Wide and unsigned integers are often indices: small and not negative.
      else if constexpr (sizeof(T) >= 4 || std::is_unsigned_v<T>)
        return random.between(0, 16);
      else
        return random.between(-16, 16);
    });
  });
}

void fill_ones(const vgfio_tensor_info& info, std::byte* data) {
  visit_dtype(info.dtype, [&](auto type) {
    using T = decltype(type);
    fill<T>(data, info.bytes, [] {
      if constexpr (kIsFloating<T>)
        return 1.0f;
      else
        return 1;
    });
  });
}

}  // namespace vgfio
