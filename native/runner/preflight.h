// What benchmark mode asks of a method, checked on the file alone: before a
// method is loaded and a device is touched.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "runner/program.h"
#include "runner/tensor_info.h"

namespace vgfio {

struct PreflightRules {
  std::string method_name;  // "": the first one
  bool allow_planned_io = false;
};

// A method that may be benchmarked; facts belong to the program.
struct CheckedMethod {
  const MethodFacts* facts = nullptr;
  std::vector<vgfio_tensor_info> inputs;
  std::vector<vgfio_tensor_info> outputs;
};

// The first violation (VGFIO_INVALID_REQUEST), with the fix: static shapes,
// tensors only, graph inputs and outputs that are not memory-planned, at least
// one VGF delegate.
Result<CheckedMethod> check_method(const ModelProgram& model, const PreflightRules& rules);

// Describes the tensors of a method that need not be fit for a benchmark.
Result<executorch::runtime::MethodMeta> method_meta(const ModelProgram& model,
                                                    const MethodFacts& facts);

}  // namespace vgfio
