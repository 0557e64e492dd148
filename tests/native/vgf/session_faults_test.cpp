// Every Vulkan call of a session fails once, at each of its places: a failure is
// reported with the name of the call, a refused import becomes a copy, nothing
// is left behind, and the session works as soon as the device does.
#include <gmock/gmock.h>

#include <set>

#include "device_fixture.h"
#include "device_hooks.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kBindSessionMemory[] = "vkBindDataGraphPipelineSessionMemoryARM";

// A life of a session: created, run, run on other buffers, run with a profile.
struct Scenario {
  std::string name;
  VgfBytes vgf;
  VgfSessionOptions options;
  std::vector<BufferSet> buffers;
  std::string expected;  // outputs for either set of buffers
};

struct Outcome {
  std::vector<Status> failures;
  bool right = true;        // every run that succeeded computed what it should
  std::string fell_back;    // details of the tensors that were copied
};

Outcome live(const std::shared_ptr<Device>& device, Scenario& scenario) {
  Outcome outcome;
  auto created = VgfSession::create(device, scenario.vgf.data(), scenario.vgf.size(),
                                    scenario.options);
  if (!created.ok()) {
    outcome.failures.push_back(created.status());
    return outcome;
  }
  const std::unique_ptr<VgfSession> session = created.take();
  for (const bool profile : {false, true}) {
    for (BufferSet& buffers : scenario.buffers) {
      poison_outputs(buffers.tensors(), buffers.inputs());
      Record record{};
      const Status status = session->run(buffers.tensors(), &record, profile);
      if (!status.ok()) {
        outcome.failures.push_back(status);
        continue;
      }
      outcome.right =
          outcome.right && contents(buffers.tensors(), buffers.inputs()) == scenario.expected;
      for (const vgfio_tensor_path& path : session->paths()) {
        if (path.path == VGFIO_PATH_COPY) outcome.fell_back += std::string(path.detail) + "\n";
      }
    }
  }
  return outcome;
}

class FaultsTest : public DeviceTest {
 protected:
  Scenario scenario(const std::string& name, VgfBytes vgf, vgfio_io_mode mode, vgfio_wait wait) {
    Scenario made{name, std::move(vgf), {}, {}, {}};
    made.options.io_mode = mode;
    made.options.wait = wait;
    for (int i = 0; i < 2; ++i) made.buffers.emplace_back(made.vgf);
    const BufferSet& first = made.buffers.front();
    made.expected = expected_outputs(device(), made.vgf, first.tensors(), first.inputs());
    return made;
  }

  // Between them these make every call that a session can make.
  std::vector<Scenario> scenarios() {
    std::vector<Scenario> all;
    all.push_back(scenario("graph, zero-copy", shipped_vgf("add_1x4x256x256.pte"),
                           VGFIO_IO_ZERO_COPY, VGFIO_WAIT_SPIN));
    all.push_back(scenario("graph, copy", shipped_vgf("add_1x4x256x256.pte"), VGFIO_IO_COPY,
                           VGFIO_WAIT_FENCE));
    all.push_back(scenario("buffers, staged", build_vgf(broadcast_add(64, 64, 64)),
                           VGFIO_IO_STAGED, VGFIO_WAIT_FENCE));
    all.push_back(scenario("images, zero-copy", build_vgf(double_image()), VGFIO_IO_ZERO_COPY,
                           VGFIO_WAIT_FENCE));
    return all;
  }
};

void check_failure(const Outcome& outcome, const std::string& call) {
  EXPECT_TRUE(outcome.right);
  // Once: what the call was needed for fails, everything else works.
  ASSERT_LE(outcome.failures.size(), 1U) << outcome.failures[1].detail();
  const std::string told =
      outcome.failures.empty() ? outcome.fell_back : outcome.failures[0].detail();
  EXPECT_THAT(told, HasSubstr(call + (call == "vkAllocateMemory" ? "" : " returned")));
}

TEST_F(FaultsTest, EveryCallFailsOnceAtEachOfItsPlaces) {
  ASSERT_EQ(device()->import_canary().reason, VGFIO_REASON_NONE);
  std::set<std::string> never_called;
  for (const FunctionIndex f : DeviceHooks::that_can_fail()) {
    never_called.insert(DeviceHooks::name(f));
  }
  for (Scenario& scenario : scenarios()) {
    ASSERT_GT(scenario.vgf.size(), 0U) << scenario.name;
    DeviceHooks hooks(*device());
    const Outcome undisturbed = live(device(), scenario);
    EXPECT_THAT(undisturbed.failures, IsEmpty());
    EXPECT_TRUE(undisturbed.right);
    EXPECT_THAT(hooks.leaks(), IsEmpty());
    std::map<FunctionIndex, uint64_t> calls;
    for (const FunctionIndex f : DeviceHooks::that_can_fail()) {
      // Polling calls some functions as often as it likes.
      calls[f] = std::min<uint64_t>(hooks.calls(f), 30);
      if (calls[f] > 0) never_called.erase(DeviceHooks::name(f));
    }
    for (const auto& [function, count] : calls) {
      for (uint64_t nth = 1; nth <= count; ++nth) {
        SCOPED_TRACE(scenario.name + ": " + DeviceHooks::name(function) + ", call " +
                     std::to_string(nth) + " of " + std::to_string(count));
        hooks.fail(function, nth, VK_ERROR_OUT_OF_HOST_MEMORY);
        const Outcome outcome = live(device(), scenario);
        if (!hooks.failed()) continue;  // fewer polls this time
        check_failure(outcome, DeviceHooks::name(function));
        EXPECT_THAT(hooks.leaks(), IsEmpty());
      }
    }
  }
  never_called.erase("vkDeviceWaitIdle");  // only after a wait that failed
  never_called.erase(kBindSessionMemory);  // has a test of its own
  EXPECT_THAT(never_called, IsEmpty());
}

// Only a graph with intermediates has session memory, and making its pipeline
// takes long.
TEST_F(FaultsTest, TheMemoryOfAGraphSessionIsNotBound) {
  Scenario graph = scenario("graph with intermediates", shipped_vgf("classifier_1x3x32x32.pte"),
                            VGFIO_IO_COPY, VGFIO_WAIT_FENCE);
  DeviceHooks hooks(*device());
  hooks.fail(DeviceHooks::index(kBindSessionMemory), 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  const Outcome outcome = live(device(), graph);
  ASSERT_TRUE(hooks.failed());
  check_failure(outcome, kBindSessionMemory);
  EXPECT_THAT(hooks.leaks(), IsEmpty());
}

TEST_F(FaultsTest, TheCanaryReportsEveryCallAndIsAskedAgain) {
  std::map<FunctionIndex, uint64_t> calls;
  {
    const auto counted = fresh_device();
    DeviceHooks counting(*counted);
    ASSERT_EQ(counted->import_canary().reason, VGFIO_REASON_NONE);
    for (const FunctionIndex f : DeviceHooks::that_can_fail()) calls[f] = counting.calls(f);
  }
  for (const auto& [function, count] : calls) {
    for (uint64_t nth = 1; nth <= count; ++nth) {
      SCOPED_TRACE(DeviceHooks::name(function) + ", call " + std::to_string(nth));
      const auto tested = fresh_device();
      DeviceHooks failing(*tested);
      failing.fail(function, nth, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      const Refusal refusal = tested->import_canary();
      EXPECT_EQ(refusal.reason, VGFIO_REASON_IMPORT_FAILED);
      EXPECT_THAT(refusal.detail, HasSubstr("VK_ERROR_OUT_OF_DEVICE_MEMORY"));
      EXPECT_THAT(failing.leaks(), IsEmpty());
      EXPECT_EQ(tested->import_canary().reason, VGFIO_REASON_NONE);
    }
  }
}

class LostDevice : public FaultsTest, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Calls, LostDevice,
                         ::testing::Values("vkQueueSubmit", "vkWaitForFences",
                                           "vkGetFenceStatus"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(LostDevice, IsAFailedRunAndACleanEnd) {
  const std::string call = GetParam();
  const VgfBytes vgf = build_vgf(broadcast_add(64, 64, 64));
  const BufferSet buffers(vgf);
  DeviceHooks hooks(*device());
  VgfSessionOptions options;
  options.io_mode = VGFIO_IO_ZERO_COPY;
  options.wait = call == "vkGetFenceStatus" ? VGFIO_WAIT_SPIN : VGFIO_WAIT_FENCE;
  {
    const auto tested = session(vgf, options);
    ASSERT_TRUE(tested->run(buffers.tensors(), nullptr, false).ok());
    hooks.fail(DeviceHooks::index(call), 1, VK_ERROR_DEVICE_LOST);
    const Status status = tested->run(buffers.tensors(), nullptr, false);
    EXPECT_EQ(status.code(), VGFIO_RUN_FAILED);
    EXPECT_THAT(status.detail(), HasSubstr(call + " returned VK_ERROR_DEVICE_LOST"));
  }
  EXPECT_THAT(hooks.leaks(), IsEmpty());
}

}  // namespace
}  // namespace vgfio::testing
