#include "runner/poison.h"

#include <algorithm>

namespace vgfio {
namespace {

constexpr std::byte kFirstPattern{0xa5};
constexpr std::byte kSecondPattern{0x5a};

void fill_outputs(Session& session, std::byte pattern) {
  const auto& infos = session.tensors(VGFIO_OUTPUT);
  for (size_t i = 0; i < infos.size(); ++i) {
    std::byte* data = session.binding().data(VGFIO_OUTPUT, i);
    if (data != nullptr) std::fill_n(data, infos[i].bytes, pattern);
  }
}

// Index of the first output that is all pattern; the count if there is none.
size_t find_unwritten(Session& session, std::byte pattern) {
  const auto& infos = session.tensors(VGFIO_OUTPUT);
  for (size_t i = 0; i < infos.size(); ++i) {
    const std::byte* data = session.binding().data(VGFIO_OUTPUT, i);
    if (data == nullptr || infos[i].bytes == 0) continue;
    if (std::all_of(data, data + infos[i].bytes, [=](std::byte b) { return b == pattern; })) {
      return i;
    }
  }
  return infos.size();
}

}  // namespace

void poison_outputs(Session& session) { fill_outputs(session, kFirstPattern); }

Status check_outputs_written(Session& session) {
  const size_t count = session.tensors(VGFIO_OUTPUT).size();
  if (find_unwritten(session, kFirstPattern) == count) return {};
  fill_outputs(session, kSecondPattern);
  size_t written = 0;
  VGFIO_RETURN_IF_ERROR(session.run(1, LoopPlan{}, &written));
  const size_t unwritten = find_unwritten(session, kSecondPattern);
  if (unwritten == count) return {};
  return Status::failed("output " + std::to_string(unwritten) +
                        " was never written: the run did not do its work");
}

}  // namespace vgfio
