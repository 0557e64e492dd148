#include "runner/tracer.h"

#ifdef VGFIO_NO_ETDUMP

namespace vgfio {

Result<std::unique_ptr<Tracer>> Tracer::create() {
  return Status::unsupported(
      "--etdump_path needs a build with ETDump (EXECUTORCH_ENABLE_EVENT_TRACER=ON)");
}

}  // namespace vgfio

#else

#include <cstdlib>
#include <fstream>

#include <executorch/devtools/etdump/etdump_flatcc.h>

#include "runner/file_errors.h"

namespace vgfio {
namespace {

class EtDump final : public Tracer {
 public:
  executorch::runtime::EventTracer* events() override { return &generator_; }

  Status write(const std::string& path) override {
    const auto dump = generator_.get_etdump_data();
    const std::unique_ptr<void, void (*)(void*)> owner(dump.buf, std::free);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (dump.buf != nullptr) {
      file.write(static_cast<const char*>(dump.buf), static_cast<std::streamsize>(dump.size));
    }
    file.close();
    return file ? Status() : Status::failed("cannot write the ETDump " + quote(path));
  }

 private:
  executorch::etdump::ETDumpGen generator_;
};

}  // namespace

Result<std::unique_ptr<Tracer>> Tracer::create() {
  return std::unique_ptr<Tracer>(std::make_unique<EtDump>());
}

}  // namespace vgfio

#endif
