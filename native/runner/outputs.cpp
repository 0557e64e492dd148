#include "runner/outputs.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <ostream>
#include <sstream>

#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>

#include "runner/file_errors.h"
#include "runner/runtime_log.h"

namespace vgfio {
namespace {

namespace et = executorch::runtime;
using executorch::aten::BFloat16;
using executorch::aten::Half;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;

constexpr size_t kItemsPerLine = 10;
constexpr size_t kEdgeItems = 100;  // printed at each end of a long list

void print_item(std::ostream& stream, bool value) { stream << (value ? "True" : "False"); }
void print_item(std::ostream& stream, int64_t value) { stream << value; }

// Whole numbers get a trailing point, so that they read as floating-point.
void print_item(std::ostream& stream, double value) {
  std::ostringstream text;
  text << value;
  stream << text.str();
  const bool digits_only = text.str().find_first_not_of("-0123456789") == std::string::npos;
  if (std::isfinite(value) && digits_only) stream << '.';
}

template <typename T>
void print_element(std::ostream& stream, T value) {
  if constexpr (std::is_same_v<T, bool>)
    print_item(stream, value);
  else if constexpr (std::is_integral_v<T>)
    print_item(stream, static_cast<int64_t>(value));
  else
    print_item(stream, static_cast<double>(value));
}

// [a, b, c], or ten to a line, with what lies between the two ends left out.
template <typename T>
void print_list(std::ostream& stream, const T* items, size_t count, size_t edge) {
  const bool elided = edge < count && count - edge > edge;
  const bool wrapped = (elided ? 2 * edge : count) > kItemsPerLine;
  size_t column = 0;  // of the next item; 0 begins a line
  stream << '[';
  for (size_t i = 0; i < count; ++i) {
    if (wrapped && column % kItemsPerLine == 0) stream << "\n  ";
    print_element(stream, items[i]);
    if (wrapped || i + 1 < count) stream << ", ";
    ++column;
    if (!elided || i + 1 != edge) continue;
    i = count - edge - 1;
    if (!wrapped) {
      stream << "..., ";
      continue;
    }
    stream << "\n  ...,";
    // The line after the gap is the short one, so that the last one is full.
    column = kItemsPerLine - edge % kItemsPerLine;
    if (column % kItemsPerLine != 0) stream << "\n  ";
  }
  if (wrapped) stream << '\n';
  stream << ']';
}

void print_tensor(std::ostream& stream, const Tensor& tensor) {
  const auto sizes = tensor.sizes();
  stream << "tensor(sizes=";
  print_list(stream, sizes.data(), sizes.size(), sizes.size());
  stream << ", ";
  const auto count = static_cast<size_t>(tensor.numel());
  switch (tensor.scalar_type()) {
#define VGFIO_PRINT_TENSOR(ctype, dtype)                                   \
  case ScalarType::dtype:                                                  \
    print_list(stream, tensor.const_data_ptr<ctype>(), count, kEdgeItems); \
    break;
    ET_FORALL_REALHBBF16_TYPES(VGFIO_PRINT_TENSOR)
#undef VGFIO_PRINT_TENSOR
    default:
      stream << "[<unhandled scalar type " << static_cast<int>(tensor.scalar_type()) << ">]";
  }
  stream << ')';
}

void print_value(std::ostream& stream, const et::EValue& value) {
  if (value.isTensor()) {
    print_tensor(stream, value.toTensor());
  } else if (value.isInt()) {
    stream << value.toInt();
  } else if (value.isBool()) {
    print_item(stream, value.toBool());
  } else if (value.isDouble()) {
    print_item(stream, value.toDouble());
  } else if (value.isString()) {
    const auto text = value.toString();
    stream << std::quoted(std::string(text.data(), text.size()));
  } else if (value.isNone()) {
    stream << "None";
  } else {
    stream << "<unprinted value of tag " << static_cast<int>(value.tag) << ">";
  }
}

void print_elements(std::ostream& stream, const Tensor& tensor, size_t output) {
  for (ssize_t i = 0; i < tensor.numel(); ++i) {
    std::ostringstream line;
    switch (tensor.scalar_type()) {
      case ScalarType::Int:
        line << "(int) " << tensor.const_data_ptr<int32_t>()[i];
        break;
      case ScalarType::Float:
        line << "(float) " << std::fixed << tensor.const_data_ptr<float>()[i];
        break;
      case ScalarType::Char:
        line << "(char) " << static_cast<int>(tensor.const_data_ptr<int8_t>()[i]);
        break;
      case ScalarType::Bool: {
        const int value = tensor.const_data_ptr<int8_t>()[i];
        line << "(bool) " << (value != 0 ? "true " : "false") << " (0x" << std::hex << value << ")";
        break;
      }
      default:
        return;
    }
    stream << "Output[" << output << "][" << i << "]: " << line.str() << '\n';
  }
}

}  // namespace

std::optional<PrintMode> parse_print_mode(std::string_view text) {
  if (text == "none") return PrintMode::kNone;
  if (text == "summary") return PrintMode::kSummary;
  if (text == "all") return PrintMode::kAll;
  return std::nullopt;
}

Result<std::vector<et::EValue>> get_outputs(et::Method& method) {
  std::vector<et::EValue> outputs(method.outputs_size());
  const et::Error error = method.get_outputs(outputs.data(), outputs.size());
  if (error != et::Error::Ok) {
    return runtime_status(error, VGFIO_RUN_FAILED, "the outputs cannot be read");
  }
  return outputs;
}

void print_outputs(std::ostream& stream, const std::vector<et::EValue>& outputs, PrintMode mode) {
  for (size_t i = 0; mode != PrintMode::kNone && i < outputs.size(); ++i) {
    if (mode == PrintMode::kSummary) {
      stream << "OutputX " << i << ": ";
      print_value(stream, outputs[i]);
      stream << '\n';
    } else if (outputs[i].isTensor()) {
      print_elements(stream, outputs[i].toTensor(), i);
    } else {
      stream << "Output[" << i << "]: Not Tensor\n";
    }
  }
  stream.flush();
}

Status write_outputs(const std::string& base, const std::vector<et::EValue>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].isTensor()) continue;
    const Tensor& tensor = outputs[i].toTensor();
    const std::string path = base + "-" + std::to_string(i) + ".bin";
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(tensor.const_data_ptr<char>(), static_cast<std::streamsize>(tensor.nbytes()));
    file.close();
    if (!file) return Status::failed("cannot write " + quote(path));
  }
  return {};
}

}  // namespace vgfio
