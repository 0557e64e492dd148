// VgfBackend as ExecuTorch uses it, without a program around it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include <executorch/runtime/core/evalue.h>

#include "delegate/vgf_backend.h"
#include "stats/sink.h"
#include "test_models.h"

namespace vgfio::testing {

namespace et = executorch::runtime;

et::BackendOption option(const char* key, const et::OptionValue& value);
et::BackendOption text_option(const char* key, const char* text);

// One-dimensional float tensors as the arguments of a delegate call.
class Arguments {
 public:
  // Sizes in floats; every element is 1.
  explicit Arguments(const std::vector<int>& sizes);

  et::Span<et::EValue*> span() { return {pointers_.data(), pointers_.size()}; }
  et::EValue& operator[](size_t index) { return values_[index]; }
  std::vector<float>& data(size_t index) { return data_[index]; }

 private:
  std::vector<int> sizes_;
  std::vector<std::vector<float>> data_;
  std::vector<executorch::aten::TensorImpl> impls_;
  std::vector<et::EValue> values_;
  std::vector<et::EValue*> pointers_;
};

// What ExecuTorch hands to init(): the bytes at a chosen distance from an
// aligned address, and whether they were freed.
class Processed {
 public:
  explicit Processed(const VgfBytes& vgf, size_t misalignment = 0);

  Processed(const Processed&) = delete;
  Processed& operator=(const Processed&) = delete;

  et::FreeableBuffer* get() { return buffer_.get(); }
  int frees() const { return frees_; }

 private:
  std::vector<uint64_t> storage_;
  int frees_ = 0;
  std::unique_ptr<et::FreeableBuffer> buffer_;
};

// A device is needed; skipped without one.
class BackendTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // init(); the handle is destroyed with the test, or by destroy().
  et::Result<et::DelegateHandle*> init(Processed& processed,
                                       std::vector<et::BackendOption> options = {});
  et::DelegateHandle* init_sum(std::vector<et::BackendOption> options = {});
  void destroy(et::DelegateHandle* handle);
  et::Error execute(et::DelegateHandle* handle, Arguments& arguments);

  VgfBackend backend_;
  Sink sink_;  // outlives the delegates that attach to it
  // c = a + b with 64, 64 and 64 floats.
  const VgfBytes sum_ = build_vgf(broadcast_add(64, 64, 64));

 private:
  std::vector<et::DelegateHandle*> handles_;
};

}  // namespace vgfio::testing
