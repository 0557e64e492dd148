#include "runner/session.h"

#include <cstring>

#include <gmock/gmock.h>

#include "session_fixture.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

using SessionTest = SessionFixture;

TEST_F(SessionTest, RunsWarmUpAndMeasuredInferences) {
  open();
  ASSERT_TRUE(run(3, 5).ok());
  EXPECT_EQ(stub().executions, 8u);
  EXPECT_EQ(records_.size(), 5u);
  EXPECT_EQ(session_->warmup_records().size(), 3u);
  const uint64_t bytes = session_->tensors(VGFIO_OUTPUT)[0].bytes;
  uint64_t before = 0;
  for (const Record& record : records_) {
    EXPECT_EQ(record.out_copy_bytes, bytes);
    EXPECT_EQ(record.imports, 1u);
    EXPECT_EQ(record.gpu_ns_valid, 0u);
    EXPECT_GE(record.latency_ns, record.execute_ns);
    EXPECT_GE(record.execute_ns, record.out_memcpy_ns);
    EXPECT_GE(record.start_ns, before);
    before = record.start_ns + record.latency_ns;
  }
  EXPECT_EQ(records_[0].start_ns, 0u);
  EXPECT_EQ(session_->times().first_run_ns, session_->warmup_records()[0].latency_ns);
}

TEST_F(SessionTest, KeepsOneRecordForEachDelegate) {
  open({}, data_file("two_delegates"));
  ASSERT_EQ(session_->delegate_count(), 2u);
  ASSERT_TRUE(run(1, 2).ok());
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(parts_[2 * i].imports, 1u);
    EXPECT_EQ(parts_[2 * i + 1].imports, 1u);
    EXPECT_EQ(records_[i].imports, 2u);
    EXPECT_EQ(records_[i].out_copy_bytes,
              parts_[2 * i].out_copy_bytes + parts_[2 * i + 1].out_copy_bytes);
  }
  EXPECT_EQ(session_->times().delegates.pipeline_ns, 6u) << "the sum over both";
}

TEST_F(SessionTest, DeviceTimeOnlyWhenProfiling) {
  open();
  ASSERT_TRUE(run(1, 2, true).ok());
  EXPECT_EQ(stub().profiled, 2u) << "not in the warm-up";
  EXPECT_EQ(records_[0].gpu_ns_valid, 1u);
  EXPECT_EQ(records_[0].gpu_ns, 1000u);
  ASSERT_TRUE(run(0, 1).ok());
  EXPECT_EQ(stub().profiled, 2u);
}

TEST_F(SessionTest, TooFewRecordsIsAnErrorBeforeAnythingRuns) {
  open();
  std::vector<Record> records(4);
  LoopPlan plan;
  plan.iterations = 5;
  plan.storage = {records.data(), records.size(), nullptr};
  size_t written = 9;
  const Status status = session_->run(1, plan, &written);
  EXPECT_EQ(status.code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(status.detail(), HasSubstr("room for 4 records, 5 are asked for"));
  EXPECT_EQ(written, 0u);
  EXPECT_EQ(stub().executions, 0u);
}

TEST_F(SessionTest, AnInputWithoutABufferIsAnError) {
  open();
  ASSERT_TRUE(session_->binding().unbind(VGFIO_INPUT, 1).ok());
  const Status status = run(0, 1);
  EXPECT_EQ(status.code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(status.detail(), HasSubstr("input 1 has no buffer"));
}

TEST_F(SessionTest, AFailingInferenceKeepsWhatWasMeasured) {
  open();
  stub().fail_at = 5;
  stub().fail_execute = Status::unsupported("the device is lost");
  const Status status = run(2, 10);
  EXPECT_EQ(status.code(), VGFIO_UNSUPPORTED);
  EXPECT_EQ(status.detail(), "the device is lost");
  EXPECT_EQ(records_.size(), 3u);
}

TEST_F(SessionTest, AFailureWithoutAReasonNamesTheError) {
  open();
  stub().fail_at = 0;
  const Status status = run(0, 1);
  EXPECT_EQ(status.code(), VGFIO_RUN_FAILED);
  EXPECT_THAT(status.detail(), HasSubstr("inference 0 failed"));
  EXPECT_THAT(status.detail(), HasSubstr("Error::Internal"));
}

TEST_F(SessionTest, StopsAfterTheCurrentInference) {
  open();
  stub().on_execute = [](uint64_t execution) {
    if (execution == 4) request_stop();
  };
  EXPECT_EQ(run(2, 100).code(), VGFIO_INTERRUPTED);
  EXPECT_EQ(records_.size(), 3u);
  EXPECT_EQ(run(0, 1).code(), VGFIO_INTERRUPTED) << "until it is cleared";
  EXPECT_TRUE(records_.empty());
  clear_stop();
  EXPECT_TRUE(run(0, 1).ok());
}

TEST_F(SessionTest, StopsInTheWarmUp) {
  open();
  stub().on_execute = [](uint64_t execution) {
    if (execution == 1) request_stop();
  };
  EXPECT_EQ(run(10, 10).code(), VGFIO_INTERRUPTED);
  EXPECT_TRUE(records_.empty());
  EXPECT_EQ(session_->warmup_records().size(), 2u);
}

TEST_F(SessionTest, StopsOnTime) {
  open();
  stub().on_execute = [](uint64_t) {
    const uint64_t begin = now_ns();
    while (now_ns() - begin < 1'000'000) {
    }
  };
  EXPECT_TRUE(run(0, 1'000'000, false, 20'000'000).ok());
  EXPECT_GE(records_.size(), 1u);
  EXPECT_LE(records_.size(), 20u);
}

TEST_F(SessionTest, ADelegateThatCannotStartGivesItsReason) {
  stub().fail_init = Status::unsupported("no device has VK_ARM_tensors");
  const auto session = open_session();
  EXPECT_EQ(session.status().code(), VGFIO_UNSUPPORTED);
  EXPECT_EQ(session.status().detail(), "no device has VK_ARM_tensors");
}

TEST_F(SessionTest, ABadRequestTouchesNoDelegate) {
  EXPECT_FALSE(open_session({}, data_file("dynamic_dimension")).ok());
  EXPECT_FALSE(open_session({}, data_file("planned_io")).ok());
  SessionOptions options;
  options.io_alignment = 100;
  EXPECT_FALSE(open_session(options).ok());
  options = {};
  options.method_name = "none";
  EXPECT_FALSE(open_session(options).ok());
  options = {};
  options.data_path = "/no/such.ptd";
  EXPECT_THAT(open_session(options).status().detail(), HasSubstr("no such file"));
  EXPECT_EQ(stub().inits, 0u);
}

TEST_F(SessionTest, RequirementsFollowTheDeviceOrTheOption) {
  stub().import_alignment = 65536;
  open();
  EXPECT_EQ(session_->tensors(VGFIO_INPUT)[0].required_alignment, 65536u);
  session_.reset();
  stub().import_alignment = 0;
  open();
  EXPECT_EQ(session_->tensors(VGFIO_INPUT)[0].required_alignment, kMinIoAlignment);
  session_.reset();
  SessionOptions options;
  options.io_alignment = 16384;
  open(options);
  EXPECT_EQ(session_->tensors(VGFIO_OUTPUT)[0].required_alignment, 16384u);
}

TEST_F(SessionTest, PathsNameTheirDelegate) {
  open({}, data_file("two_delegates"));
  ASSERT_TRUE(run(0, 1).ok());
  const auto paths = session_->paths();
  ASSERT_GE(paths.size(), 4u);
  EXPECT_EQ(paths.front().delegate, 0u);
  EXPECT_EQ(paths.back().delegate, 1u);
  EXPECT_EQ(paths.back().direction, uint32_t{VGFIO_OUTPUT});
}

TEST_F(SessionTest, LendsInItsModeOnly) {
  open();
  EXPECT_EQ(session_->lend(VGFIO_INPUT, 0).status().code(), VGFIO_INVALID_REQUEST);
  session_.reset();
  SessionOptions options;
  options.io_mode = VGFIO_IO_LEND;
  open(options);
  EXPECT_EQ(session_->lend(VGFIO_INPUT, 0).status().code(), VGFIO_UNSUPPORTED);
  EXPECT_EQ(session_->lend(VGFIO_INPUT, 7).status().code(), VGFIO_INVALID_REQUEST);
  stub().lent.resize(1 << 20);
  const auto lent = session_->lend(VGFIO_INPUT, 1);
  ASSERT_TRUE(lent.ok()) << lent.status().detail();
  ASSERT_TRUE(session_->bind(VGFIO_INPUT, 1, lent->data, lent->capacity).ok());
  EXPECT_FALSE(find_host_region(lent->data, 1)) << "the delegate's own memory is not imported";
}

TEST_F(SessionTest, OptionsOutsideTheirListsAreRefused) {
  SessionOptions options;
  options.io_mode = static_cast<vgfio_io_mode>(4);
  EXPECT_FALSE(check_options(options).ok());
  options = {};
  options.wait = static_cast<vgfio_wait>(3);
  EXPECT_FALSE(check_options(options).ok());
  for (const uint64_t alignment : {1, 32, 96, 4095}) {
    options = {};
    options.io_alignment = alignment;
    EXPECT_FALSE(check_options(options).ok()) << alignment;
  }
  options.io_alignment = 64;
  EXPECT_TRUE(check_options(options).ok());
}

}  // namespace
}  // namespace vgfio::testing
