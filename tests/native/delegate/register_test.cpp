#include "delegate/register.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/delegate_error.h"
#include "delegate/device_cache.h"
#include "delegate/options.h"
#include "delegate_fixture.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

TEST(RegisterBackend, OnceIsEnoughAndTwiceIsFine) {
  EXPECT_TRUE(register_vgf_backend());
  EXPECT_TRUE(register_vgf_backend());
  EXPECT_NE(et::get_backend_class(kVgfBackendName), nullptr);
}

TEST(Probe, ListsDevicesWithAndWithoutTheLayers) {
  const auto passes = nlohmann::json::parse(probe_vgf_devices());
  ASSERT_EQ(passes.size(), 2U);
  EXPECT_FALSE(passes[0].at("emulation_layers").get<bool>());
  EXPECT_TRUE(passes[1].at("emulation_layers").get<bool>());
  for (const auto& pass : passes) {
    EXPECT_EQ(pass.at("error").is_null() || pass.at("devices").empty(), true);
    for (const auto& device : pass.at("devices")) {
      EXPECT_EQ(device.at("usable").get<bool>(), device.at("missing").empty());
      EXPECT_NE(device.at("name").get<std::string>(), "");
    }
  }
}

class DeviceCacheTest : public BackendTest {};

TEST_F(DeviceCacheTest, OneDevicePerRequest) {
  uint64_t opened_ns = 1;
  const auto first = shared_device("", &opened_ns);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(opened_ns, 0U);  // opened by the fixture
  const auto by_index = shared_device("0", &opened_ns);
  ASSERT_TRUE(by_index.ok());
  EXPECT_EQ((*first)->info().name, (*by_index)->info().name);
  EXPECT_EQ(*shared_device("0", nullptr), *by_index);
}

TEST_F(DeviceCacheTest, ClosingLetsUsersKeepTheirs) {
  const auto kept = shared_device("", nullptr);
  ASSERT_TRUE(kept.ok());
  close_shared_devices();
  EXPECT_EQ(kept->use_count(), 1);
  EXPECT_EQ((*kept)->import_canary().reason == VGFIO_REASON_NONE, (*kept)->plan().host_import);
  EXPECT_NE(*shared_device("", nullptr), *kept);
}

TEST_F(DeviceCacheTest, ImportAlignmentIsThatOfTheDeviceOrZero) {
  const auto device = shared_device("", nullptr);
  const unsigned long expected =
      (*device)->plan().host_import ? (*device)->info().import_alignment : 0;
  EXPECT_EQ(vgf_import_alignment(nullptr), expected);
  EXPECT_EQ(vgf_import_alignment(""), expected);
  EXPECT_EQ(vgf_import_alignment("no such gpu"), 0U);
  EXPECT_THAT(take_delegate_error().detail(), HasSubstr("no such gpu"));
}

}  // namespace
}  // namespace vgfio::testing
