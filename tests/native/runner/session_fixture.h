// A session on the stub backend with buffers for every tensor.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runner/io_buffers.h"
#include "runner/stop.h"
#include "stub_backend.h"

namespace vgfio::testing {

class SessionFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    reset_stub();
    clear_stop();
  }
  void TearDown() override {
    session_.reset();
    clear_stop();
    EXPECT_EQ(stub().live, 0u) << "a delegate outlived its session";
  }

  // Opens and binds; the input is random data.
  void open(const SessionOptions& options = {}, const std::string& path = "") {
    auto session = open_session(options, path);
    ASSERT_TRUE(session.ok()) << session.status().detail();
    session_ = session.take();
    const Status bound = buffers_.bind_all(*session_);
    ASSERT_TRUE(bound.ok()) << bound.detail();
    ASSERT_TRUE(IoBuffers::fill_inputs(*session_, {}, 1).ok());
  }

  // Runs with storage for everything; records_ keeps what was written.
  Status run(uint64_t warmup, uint64_t iterations, bool profile = false, uint64_t max_ns = 0) {
    if (session_ == nullptr) return Status::failed("there is no session");
    records_.assign(iterations, Record{});
    parts_.assign(iterations * session_->delegate_count(), Record{});
    LoopPlan plan;
    plan.iterations = iterations;
    plan.max_ns = max_ns;
    plan.profile_device = profile;
    plan.storage = {records_.data(), records_.size(), parts_.data()};
    size_t written = 0;
    const Status status = session_->run(warmup, plan, &written);
    records_.resize(written);
    return status;
  }

  static std::string data_file(const std::string& name) {
    return std::string(VGFIO_TEST_DATA) + "/" + name + ".pte";
  }

  IoBuffers buffers_;
  std::unique_ptr<Session> session_;
  std::vector<Record> records_;
  std::vector<Record> parts_;
};

}  // namespace vgfio::testing
