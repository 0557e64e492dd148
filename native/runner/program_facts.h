// What a program's file says about its methods that the runtime does not show:
// dynamic shapes, traced scalar values, and which values a delegate call takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace vgfio {

enum class ValueKind { kNone, kInt, kBool, kDouble, kTensor, kString, kOther };

struct ValueFacts {
  int32_t value = -1;  // index among the method's values; the same value may be input and output
  ValueKind kind = ValueKind::kOther;
  std::string traced;          // of a scalar: the value it had at export, "3" or "true"
  std::vector<int32_t> sizes;  // of a tensor; upper bounds where `dynamic`
  bool dynamic = false;        // the shape may change from call to call
  bool constant = false;       // a tensor whose data is in the file
};

struct DelegateCall {
  size_t delegate = 0;        // index into MethodFacts::delegates
  std::vector<int32_t> args;  // value indices: inputs, then outputs
};

struct MethodFacts {
  std::string name;
  std::vector<ValueFacts> inputs;
  std::vector<ValueFacts> outputs;
  std::vector<std::string> delegates;  // backend ids, in the order they are initialised
  std::vector<DelegateCall> calls;     // in the order of the instructions
};

// Reads a file that ExecuTorch's verifier found well-formed. The verifier lets
// absent fields pass that the runtime then uses: such a file is refused here
// (VGFIO_INVALID_REQUEST, what is missing).
Result<std::vector<MethodFacts>> read_program_facts(const void* data, size_t bytes);

}  // namespace vgfio
