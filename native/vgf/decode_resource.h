// Part of decode_vgf(): one row of the resource table, and how refusals are worded.
#pragma once

#include <string>

#include <vgf/decoder.hpp>

#include "vgf/model.h"

namespace vgfio {

inline Status bad(const std::string& what) { return Status::invalid("malformed VGF: " + what); }

inline std::string at(const char* what, size_t index) {
  return std::string(what) + " " + std::to_string(index);
}

// Errors: VGFIO_INVALID_REQUEST where the row contradicts itself or the shape is dynamic,
// VGFIO_UNSUPPORTED for a format that is not known.
Result<Resource> decode_resource(const mlsdk::vgflib::ModelResourceTableDecoder& table,
                                 uint32_t index);

}  // namespace vgfio
