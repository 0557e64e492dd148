// What collecting statistics costs an inference: the median over many blocks of
// the stub backend (no Vulkan) with a record for each inference, less the median
// of the same executions without any.
//
//   stats_overhead [BLOCKS [EXECUTIONS PER BLOCK]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runner/io_buffers.h"
#include "stub_backend.h"

namespace vgfio::testing {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Bench {
  std::unique_ptr<Session> session;
  IoBuffers buffers;
};

bool open(Bench& bench, bool statistics) {
  stub().statistics = statistics;
  stub().writes_outputs = false;  // nothing but the call itself
  auto session = open_session();
  if (session.ok()) bench.session = session.take();
  const Status status = session.ok() ? bench.buffers.bind_all(*bench.session) : session.status();
  if (!status.ok()) std::fprintf(stderr, "stats_overhead: error: %s\n", status.detail().c_str());
  return status.ok();
}

double with_statistics(Session& session, std::vector<Record>& records) {
  LoopPlan plan;
  plan.iterations = records.size();
  plan.storage = {records.data(), records.size(), nullptr};
  size_t written = 0;
  const uint64_t begin = now_ns();
  if (!session.run(0, plan, &written).ok()) std::abort();
  return static_cast<double>(now_ns() - begin) / static_cast<double>(records.size());
}

double without_statistics(Session& session, size_t executions) {
  const uint64_t begin = now_ns();
  for (size_t i = 0; i < executions; ++i) {
    if (session.method().execute() != executorch::runtime::Error::Ok) std::abort();
  }
  return static_cast<double>(now_ns() - begin) / static_cast<double>(executions);
}

int run(size_t blocks, size_t executions) {
  reset_stub();
  Bench on;
  Bench off;
  if (!open(on, true) || !open(off, false)) return 1;
  std::vector<Record> records(executions);
  std::vector<double> on_ns;
  std::vector<double> off_ns;
  for (size_t i = 0; i < blocks; ++i) {  // in turn, so that a slow spell meets both
    off_ns.push_back(without_statistics(*off.session, executions));
    on_ns.push_back(with_statistics(*on.session, records));
  }
  std::printf(
      "without statistics %.0f ns, with %.0f ns, cost %.0f ns per inference "
      "(medians of %zu blocks of %zu)\n",
      median(off_ns), median(on_ns), median(on_ns) - median(off_ns), blocks, executions);
  return 0;
}

}  // namespace
}  // namespace vgfio::testing

int main(int argc, char** argv) {
  const size_t blocks = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200;
  const size_t executions = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 5000;
  return vgfio::testing::run(std::max<size_t>(blocks, 1), std::max<size_t>(executions, 1));
}
