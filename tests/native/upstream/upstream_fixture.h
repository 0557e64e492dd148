// The stand-in backend with the hooks attached, as ExecuTorch's backend is used.
#pragma once

#include <memory>
#include <vector>

#include "delegate/settings.h"
#include "device_fixture.h"
#include "stand_in_backend.h"
#include "stats/sink.h"

namespace vgfio::testing {

namespace et = executorch::runtime;

et::BackendOption option(const char* key, const et::OptionValue& value);

// Tensors of bytes as the arguments of a delegate call.
class ByteArguments {
 public:
  explicit ByteArguments(const std::vector<HostTensor>& tensors);

  et::Span<et::EValue*> span() { return {pointers_.data(), pointers_.size()}; }

 private:
  std::vector<int> sizes_;
  std::vector<executorch::aten::TensorImpl> impls_;
  std::vector<et::EValue> values_;
  std::vector<et::EValue*> pointers_;
};

class UpstreamTest : public DeviceTest {
 protected:
  using Backend = executorch::backends::vgf::VgfRepr;

  // A backend with the hooks attached; `error` (may be null) gets what attaching returned.
  std::unique_ptr<Backend> attach(const VgfBytes& vgf, std::vector<et::BackendOption> options = {},
                                  et::Error* error = nullptr);
  std::unique_ptr<Backend> attach(const VgfBytes& vgf, vgfio_io_mode mode);

  // One inference and what it added to the record; checks nothing but that it succeeded.
  Record run(Backend& backend, const std::vector<HostTensor>& tensors);
  // How input or output `index` crossed in the last inference of the only backend.
  vgfio_tensor_path path(size_t index) const;

  Sink sink_;  // outlives the backends that attach to it
};

}  // namespace vgfio::testing
