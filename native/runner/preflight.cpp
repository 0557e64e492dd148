#include "runner/preflight.h"

#include <algorithm>

#include "base/names.h"
#include "delegate/options.h"
#include "runner/file_errors.h"
#include "runner/runtime_log.h"

namespace vgfio {
namespace {

const char* kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNone:
      return "None";
    case ValueKind::kInt:
      return "an int";
    case ValueKind::kBool:
      return "a bool";
    case ValueKind::kDouble:
      return "a float";
    case ValueKind::kString:
      return "a string";
    case ValueKind::kTensor:
      return "a tensor";
    case ValueKind::kOther:
      break;
  }
  return "a list";
}

std::string sizes_text(const std::vector<int32_t>& sizes) {
  std::string text = "[";
  for (size_t i = 0; i < sizes.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  }
  return text + "]";
}

Status check_value(const ValueFacts& facts, const std::string& name) {
  if (facts.kind != ValueKind::kTensor) {
    std::string text = name + " is not a tensor but " + kind_name(facts.kind);
    if (!facts.traced.empty()) text += " (" + facts.traced + " at export)";
    return Status::invalid(text + "; export the model with tensors only, scalars as constants");
  }
  if (facts.dynamic) {
    return Status::invalid(name + " has a dynamic shape (at most " + sizes_text(facts.sizes) +
                           "), which benchmark mode does not support; export without "
                           "dynamic_shapes");
  }
  return {};
}

Status check_values(const std::vector<ValueFacts>& values, vgfio_direction direction) {
  for (size_t i = 0; i < values.size(); ++i) {
    VGFIO_RETURN_IF_ERROR(
        check_value(values[i], std::string(direction_name(direction)) + " " + std::to_string(i)));
  }
  return {};
}

Status check_planned(const std::vector<ValueFacts>& values,
                     const std::vector<vgfio_tensor_info>& infos, vgfio_direction direction) {
  for (size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].memory_planned == 0) continue;
    const std::string name = std::string(direction_name(direction)) + " " + std::to_string(i);
    if (i < values.size() && values[i].constant) {
      return Status::invalid(name + " is a constant of the model; drop it from the outputs");
    }
    return Status::invalid(name +
                           " is memory-planned, so that the caller's buffer would not be "
                           "used; export with MemoryPlanningPass(alloc_graph_input=False, "
                           "alloc_graph_output=False)");
  }
  return {};
}

Status check_delegate(const MethodFacts& facts) {
  const auto& ids = facts.delegates;
  if (std::find(ids.begin(), ids.end(), kVgfBackendName) != ids.end()) return {};
  std::string names;
  for (const std::string& id : ids) names += (names.empty() ? "" : ", ") + id;
  return Status::invalid("method '" + facts.name + "' has no " + kVgfBackendName +
                         " delegate (its delegates: " + (names.empty() ? "none" : names) +
                         "); export it with VgfPartitioner");
}

}  // namespace

Result<executorch::runtime::MethodMeta> method_meta(const ModelProgram& model,
                                                    const MethodFacts& facts) {
  const RuntimeLogCapture capture;
  const auto meta = model.program().method_meta(facts.name.c_str());
  if (meta.ok()) return *meta;
  return runtime_status(meta.error(), VGFIO_INVALID_REQUEST,
                        "method " + quote(facts.name) + " cannot be described");
}

Result<CheckedMethod> check_method(const ModelProgram& model, const PreflightRules& rules) {
  CheckedMethod checked;
  VGFIO_ASSIGN_OR_RETURN(checked.facts, model.find_method(rules.method_name));
  const MethodFacts& facts = *checked.facts;
  VGFIO_RETURN_IF_ERROR(check_values(facts.inputs, VGFIO_INPUT));
  VGFIO_RETURN_IF_ERROR(check_values(facts.outputs, VGFIO_OUTPUT));
  VGFIO_ASSIGN_OR_RETURN(const auto meta, method_meta(model, facts));
  VGFIO_ASSIGN_OR_RETURN(checked.inputs, describe_tensors(meta, VGFIO_INPUT));
  VGFIO_ASSIGN_OR_RETURN(checked.outputs, describe_tensors(meta, VGFIO_OUTPUT));
  if (!rules.allow_planned_io) {
    VGFIO_RETURN_IF_ERROR(check_planned(facts.inputs, checked.inputs, VGFIO_INPUT));
    VGFIO_RETURN_IF_ERROR(check_planned(facts.outputs, checked.outputs, VGFIO_OUTPUT));
  }
  VGFIO_RETURN_IF_ERROR(check_delegate(facts));
  return checked;
}

}  // namespace vgfio
