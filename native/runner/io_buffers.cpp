#include "runner/io_buffers.h"

#include <utility>

#include "runner/inputs.h"
#include "runner/sha256.h"

namespace vgfio {

Status IoBuffers::bind(Session& session, vgfio_direction direction, size_t index) {
  const vgfio_tensor_info& info = session.tensors(direction)[index];
  if (session.options().io_mode == VGFIO_IO_LEND) {
    const auto lent = session.lend(direction, index);
    if (lent.ok()) return session.bind(direction, index, lent->data, lent->capacity);
    if (lent.status().code() != VGFIO_UNSUPPORTED) return lent.status();
  }
  VGFIO_ASSIGN_OR_RETURN(AlignedBuffer buffer,
                         AlignedBuffer::allocate(info.required_capacity, info.required_alignment));
  VGFIO_RETURN_IF_ERROR(session.bind(direction, index, buffer.data(), buffer.capacity()));
  buffers_.push_back(std::move(buffer));
  return {};
}

Status IoBuffers::bind_all(Session& session) {
  for (const vgfio_direction direction : {VGFIO_INPUT, VGFIO_OUTPUT}) {
    for (size_t i = 0; i < session.tensors(direction).size(); ++i) {
      VGFIO_RETURN_IF_ERROR(bind(session, direction, i));
    }
  }
  return {};
}

Result<std::vector<DataOrigin>> IoBuffers::fill_inputs(Session& session,
                                                       const std::vector<std::string>& paths,
                                                       uint64_t seed) {
  const auto& infos = session.tensors(VGFIO_INPUT);
  std::vector<DataOrigin> origins;
  for (size_t i = 0; i < infos.size(); ++i) {
    std::byte* data = session.binding().data(VGFIO_INPUT, i);
    DataOrigin origin;
    if (paths.empty()) {
      fill_synthetic(infos[i], seed + i, data);
      origin.source = "synthetic";
    } else {
      VGFIO_RETURN_IF_ERROR(read_input_file(paths[i], infos[i], i, data));
      origin.source = "file";
    }
    origin.sha256 = sha256_hex(data, infos[i].bytes);
    origins.push_back(std::move(origin));
  }
  return origins;
}

std::vector<Warning> IoBuffers::find_changed_inputs(const Session& session,
                                                    const std::vector<DataOrigin>& origins) {
  const auto& infos = session.tensors(VGFIO_INPUT);
  std::vector<Warning> warnings;
  for (size_t i = 0; i < infos.size() && i < origins.size(); ++i) {
    const std::byte* data = session.binding().data(VGFIO_INPUT, i);
    if (sha256_hex(data, infos[i].bytes) == origins[i].sha256) continue;
    warnings.push_back({"input_changed",
                        "the model changed input " + std::to_string(i) +
                            ": each inference saw the result of the one before",
                        "export the model without in-place changes of its inputs"});
  }
  return warnings;
}

}  // namespace vgfio
