// ExecuTorch's view of the VGF sessions: BackendInterface and nothing else.
#pragma once

#include <mutex>
#include <vector>

#include <executorch/runtime/backend/interface.h>

#include "base/status.h"
#include "delegate/settings.h"

namespace vgfio {

class VgfBackend final : public executorch::runtime::BackendInterface {
 public:
  bool is_available() const override { return true; }

  executorch::runtime::Result<executorch::runtime::DelegateHandle*> init(
      executorch::runtime::BackendInitContext& context,
      executorch::runtime::FreeableBuffer* processed,
      executorch::runtime::ArrayRef<executorch::runtime::CompileSpec> compile_specs)
      const override;

  executorch::runtime::Error execute(
      executorch::runtime::BackendExecutionContext& context,
      executorch::runtime::DelegateHandle* handle,
      executorch::runtime::Span<executorch::runtime::EValue*> args) const override;

  executorch::runtime::Error set_option(
      executorch::runtime::BackendOptionContext& context,
      const executorch::runtime::Span<executorch::runtime::BackendOption>& options) override;

  void destroy(executorch::runtime::DelegateHandle* handle) const override;

 private:
  Result<BackendSettings> settings_for(
      const executorch::runtime::Span<const executorch::runtime::BackendOption>& options) const;

  mutable std::mutex mutex_;
  std::vector<executorch::runtime::BackendOption> defaults_;
};

}  // namespace vgfio
