// The inputs and outputs of a method in the terms of the C interface.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/executor/method_meta.h>

#include "base/status.h"
#include "runner/program_facts.h"

namespace vgfio {

// numpy spelling ("float32", "bool"); "bfloat16" and other types without one in
// lower case.
std::string dtype_name(executorch::aten::ScalarType type);

// "float32 [1, 4, 8, 8]"
std::string describe(const vgfio_tensor_info& info);

// The inputs or outputs of a method; struct_size is 0 in the entry of one that
// is no tensor. required_alignment and required_capacity are left 0: they depend
// on the device. Errors (VGFIO_INVALID_REQUEST): more dimensions than
// VGFIO_MAX_DIMS, a damaged entry.
Result<std::vector<vgfio_tensor_info>> describe_tensors(const executorch::runtime::MethodMeta& meta,
                                                        vgfio_direction direction);

// Sets what the device asks for: alignment a power of two.
void set_requirements(std::vector<vgfio_tensor_info>& infos, uint64_t alignment);

}  // namespace vgfio
