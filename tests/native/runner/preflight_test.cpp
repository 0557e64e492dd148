#include "runner/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgfio {
namespace {

using ::testing::HasSubstr;

Result<CheckedMethod> check(const std::string& name, bool allow_planned_io = false) {
  static std::unique_ptr<ModelProgram> model;  // facts belong to it
  const std::string folder = VGFIO_TEST_DATA;
  VGFIO_ASSIGN_OR_RETURN(model, ModelProgram::open(folder + "/" + name + ".pte"));
  return check_method(*model, {"", allow_planned_io});
}

struct Violation {
  const char* model;
  const char* message;
};
class Preflight : public ::testing::TestWithParam<Violation> {};
INSTANTIATE_TEST_SUITE_P(
    Violations, Preflight,
    ::testing::Values(
        Violation{"dynamic_dimension", "input 0 has a dynamic shape (at most [6, 8])"},
        Violation{"scalar_int", "input 1 is not a tensor but an int (3 at export)"},
        Violation{"planned_io",
                  "MemoryPlanningPass(alloc_graph_input=False, alloc_graph_output=False)"},
        Violation{"bundled", "bundled program"},
        Violation{"no_delegate", "has no VgfBackend delegate (its delegates: none)"}));

TEST_P(Preflight, NamesTheViolation) {
  const auto checked = check(GetParam().model);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.status().code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(checked.status().detail(), HasSubstr(GetParam().message));
}

TEST(PreflightDescribes, InputsAndOutputs) {
  const auto checked = check("two_delegates");
  ASSERT_TRUE(checked.ok()) << checked.status().detail();
  ASSERT_EQ(checked->inputs.size(), 1u);
  const vgfio_tensor_info& input = checked->inputs[0];
  EXPECT_STREQ(input.name, "input 0");
  EXPECT_STREQ(input.dtype, "float32");
  EXPECT_EQ(input.element_bytes, 4u);
  EXPECT_EQ(input.memory_planned, 0u);
  uint64_t elements = 1;
  for (uint32_t i = 0; i < input.dim_count; ++i) elements *= static_cast<uint64_t>(input.shape[i]);
  EXPECT_EQ(input.bytes, 4 * elements);
  EXPECT_EQ(input.strides[input.dim_count - 1], 1);
}

TEST(PreflightAllows, PlannedTensorsWhenTold) {
  const auto checked = check("planned_io", true);
  ASSERT_TRUE(checked.ok()) << checked.status().detail();
  EXPECT_EQ(checked->inputs[0].memory_planned, 1u);
  EXPECT_EQ(checked->outputs[0].memory_planned, 1u);
}

TEST(SetRequirements, PadsToTheAlignment) {
  std::vector<vgfio_tensor_info> infos(3);
  const uint64_t bytes[] = {4, 4096, 4097};
  const uint64_t capacities[] = {4096, 4096, 8192};
  for (size_t i = 0; i < infos.size(); ++i) infos[i].bytes = bytes[i];
  set_requirements(infos, 4096);
  for (size_t i = 0; i < infos.size(); ++i) {
    EXPECT_EQ(infos[i].required_alignment, 4096u);
    EXPECT_EQ(infos[i].required_capacity, capacities[i]);
  }
}

}  // namespace
}  // namespace vgfio
