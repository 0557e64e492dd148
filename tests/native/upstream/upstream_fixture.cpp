#include "upstream_fixture.h"

#include <cstring>

#include "base/delegate_error.h"
#include "delegate/options.h"

namespace vgfio::testing {

et::BackendOption option(const char* key, const et::OptionValue& value) {
  et::BackendOption made;
  std::strncpy(made.key, key, sizeof(made.key) - 1);
  made.value = value;
  return made;
}

ByteArguments::ByteArguments(const std::vector<HostTensor>& tensors) {
  impls_.reserve(tensors.size());
  for (const HostTensor& tensor : tensors) sizes_.push_back(static_cast<int>(tensor.bytes));
  for (size_t i = 0; i < tensors.size(); ++i) {
    impls_.emplace_back(executorch::aten::ScalarType::Byte, 1, &sizes_[i], tensors[i].data);
    values_.emplace_back(executorch::aten::Tensor(&impls_[i]));
  }
  for (et::EValue& value : values_) pointers_.push_back(&value);
}

std::unique_ptr<UpstreamTest::Backend> UpstreamTest::attach(const VgfBytes& vgf,
                                                            std::vector<et::BackendOption> options,
                                                            et::Error* error) {
  auto created = Backend::create(device(), vgf);
  EXPECT_TRUE(created.ok()) << created.status().detail();
  if (!created.ok()) return nullptr;
  std::unique_ptr<Backend> backend = created.take();
  const Sink::Scope scope(&sink_);
  InitClock clock;
  clock.device_opened();
  const et::BackendInitContext context(nullptr, nullptr, "forward", nullptr,
                                       {options.data(), options.size()});
  const et::FreeableBuffer processed(vgf.data(), vgf.size(), nullptr);
  const et::Error attached = DelegateIo::attach(*backend, context, processed, clock);
  EXPECT_EQ(backend->destroyed, attached != et::Error::Ok);
  if (error != nullptr) {
    *error = attached;
  } else {
    EXPECT_EQ(attached, et::Error::Ok) << take_delegate_error().detail();
  }
  return backend;
}

std::unique_ptr<UpstreamTest::Backend> UpstreamTest::attach(const VgfBytes& vgf,
                                                            vgfio_io_mode mode) {
  return attach(vgf, {option(kOptionIoMode, mode)});
}

Record UpstreamTest::run(Backend& backend, const std::vector<HostTensor>& tensors) {
  ByteArguments arguments(tensors);
  Record whole{};
  std::vector<Record> parts(sink_.delegates().size());
  sink_.open_record();
  EXPECT_EQ(backend.execute(arguments.span()), et::Error::Ok) << take_delegate_error().detail();
  sink_.close_record(whole, parts.data());
  return whole;
}

vgfio_tensor_path UpstreamTest::path(size_t index) const {
  return sink_.delegates().back()->tensor_paths()[index];
}

}  // namespace vgfio::testing
