#include "runner/program_facts.h"

#include "runner/flat_table.h"

namespace vgfio {
namespace {

// Slots and union tags of ExecuTorch's program schema ("ET12").
namespace program_slot {
constexpr size_t kExecutionPlan = 1;
}
namespace plan_slot {
constexpr size_t kName = 0, kValues = 2, kInputs = 3, kOutputs = 4, kChains = 5, kDelegates = 7;
}
namespace tensor_slot {
constexpr size_t kSizes = 2, kDataBuffer = 5, kShapeDynamism = 8;
}
constexpr size_t kUnionType = 0, kUnionValue = 1;
constexpr size_t kScalarValue = 0;
constexpr size_t kDelegateId = 0, kDelegateData = 1, kDelegateSpecs = 2;
constexpr size_t kSpecKey = 0, kSpecValue = 1;
constexpr size_t kChainInstructions = 2;
constexpr size_t kCallDelegate = 0, kCallArgs = 1;
constexpr uint8_t kNullTag = 1, kIntTag = 2, kBoolTag = 3, kDoubleTag = 4, kTensorTag = 5,
                  kStringTag = 6;
constexpr uint8_t kDelegateCallTag = 2;

void read_tensor(const FlatTable& tensor, ValueFacts& facts) {
  const FlatVector sizes = tensor.vector(tensor_slot::kSizes);
  for (size_t i = 0; i < sizes.size(); ++i) facts.sizes.push_back(sizes.scalar<int32_t>(i, 0));
  facts.dynamic = tensor.scalar<int8_t>(tensor_slot::kShapeDynamism, 0) != 0;
  facts.constant = tensor.scalar<uint32_t>(tensor_slot::kDataBuffer, 0) != 0;
}

ValueFacts read_value(const FlatTable& value, int32_t index) {
  ValueFacts facts;
  facts.value = index;
  const FlatTable content = value.table(kUnionValue);
  switch (value.scalar<uint8_t>(kUnionType, 0)) {
    case kNullTag:
      facts.kind = ValueKind::kNone;
      break;
    case kIntTag:
      facts.kind = ValueKind::kInt;
      facts.traced = std::to_string(content.scalar<int64_t>(kScalarValue, 0));
      break;
    case kBoolTag:
      facts.kind = ValueKind::kBool;
      facts.traced = content.scalar<uint8_t>(kScalarValue, 0) != 0 ? "true" : "false";
      break;
    case kDoubleTag:
      facts.kind = ValueKind::kDouble;
      facts.traced = std::to_string(content.scalar<double>(kScalarValue, 0));
      break;
    case kTensorTag:
      facts.kind = ValueKind::kTensor;
      read_tensor(content, facts);
      break;
    case kStringTag:
      facts.kind = ValueKind::kString;
      facts.traced = '"' + content.string(kScalarValue) + '"';
      break;
    default:
      break;
  }
  return facts;
}

std::vector<ValueFacts> read_values(const FlatTable& plan, size_t slot) {
  const FlatVector values = plan.vector(plan_slot::kValues);
  const FlatVector indices = plan.vector(slot);
  std::vector<ValueFacts> facts;
  for (size_t i = 0; i < indices.size(); ++i) {
    const auto index = indices.scalar<int32_t>(i, -1);
    facts.push_back(read_value(index < 0 ? FlatTable() : values.table(index), index));
  }
  return facts;
}

void read_calls(const FlatTable& chain, std::vector<DelegateCall>& calls) {
  const FlatVector instructions = chain.vector(kChainInstructions);
  for (size_t i = 0; i < instructions.size(); ++i) {
    const FlatTable instruction = instructions.table(i);
    if (instruction.scalar<uint8_t>(kUnionType, 0) != kDelegateCallTag) continue;
    const FlatTable arguments = instruction.table(kUnionValue);
    DelegateCall call;
    call.delegate = static_cast<size_t>(arguments.scalar<int32_t>(kCallDelegate, 0));
    const FlatVector args = arguments.vector(kCallArgs);
    for (size_t a = 0; a < args.size(); ++a) call.args.push_back(args.scalar<int32_t>(a, -1));
    calls.push_back(std::move(call));
  }
}

Status check_values(const FlatTable& plan, size_t slot) {
  const FlatVector values = plan.vector(plan_slot::kValues);
  const FlatVector indices = plan.vector(slot);
  for (size_t i = 0; i < indices.size(); ++i) {
    const auto index = indices.scalar<int32_t>(i, -1);
    if (index < 0 || static_cast<size_t>(index) >= values.size()) {
      return Status::invalid("an input or output is no value of its method");
    }
  }
  return {};
}

bool is_whole(const FlatTable& delegate) {
  const FlatVector specs = delegate.vector(kDelegateSpecs);
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!specs.table(i).has(kSpecKey) || !specs.table(i).has(kSpecValue)) return false;
  }
  return delegate.has(kDelegateId) && delegate.has(kDelegateData) && delegate.has(kDelegateSpecs);
}

Status check_plan(const FlatTable& plan) {
  for (const size_t slot : {plan_slot::kName, plan_slot::kValues, plan_slot::kInputs,
                            plan_slot::kOutputs, plan_slot::kChains, plan_slot::kDelegates}) {
    if (!plan.has(slot)) return Status::invalid("a part of a method is missing");
  }
  VGFIO_RETURN_IF_ERROR(check_values(plan, plan_slot::kInputs));
  VGFIO_RETURN_IF_ERROR(check_values(plan, plan_slot::kOutputs));
  const FlatVector values = plan.vector(plan_slot::kValues);
  for (size_t i = 0; i < values.size(); ++i) {
    const FlatTable value = values.table(i);
    if (value.scalar<uint8_t>(kUnionType, 0) == 0 || !value.table(kUnionValue).present()) {
      return Status::invalid("a value of a method is missing");
    }
  }
  const FlatVector delegates = plan.vector(plan_slot::kDelegates);
  for (size_t i = 0; i < delegates.size(); ++i) {
    if (!is_whole(delegates.table(i))) return Status::invalid("a part of a delegate is missing");
  }
  return {};
}

MethodFacts read_method(const FlatTable& plan) {
  MethodFacts facts;
  facts.name = plan.string(plan_slot::kName);
  facts.inputs = read_values(plan, plan_slot::kInputs);
  facts.outputs = read_values(plan, plan_slot::kOutputs);
  const FlatVector delegates = plan.vector(plan_slot::kDelegates);
  for (size_t i = 0; i < delegates.size(); ++i) {
    facts.delegates.push_back(delegates.table(i).string(kDelegateId));
  }
  const FlatVector chains = plan.vector(plan_slot::kChains);
  for (size_t i = 0; i < chains.size(); ++i) read_calls(chains.table(i), facts.calls);
  return facts;
}

}  // namespace

Result<std::vector<MethodFacts>> read_program_facts(const void* data, size_t bytes) {
  const FlatBytes file{static_cast<const uint8_t*>(data), bytes};
  const FlatVector plans = FlatTable::root(file).vector(program_slot::kExecutionPlan);
  std::vector<MethodFacts> methods;
  for (size_t i = 0; i < plans.size(); ++i) {
    VGFIO_RETURN_IF_ERROR(check_plan(plans.table(i)));
    methods.push_back(read_method(plans.table(i)));
  }
  return methods;
}

}  // namespace vgfio
