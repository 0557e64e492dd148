// VGFs that a device can run.
#pragma once

#include "vgf_builder.h"

namespace vgfio::testing {

// The VGF inside a model that the Python package ships, by file name. Empty if
// the file is not there.
VgfBytes shipped_vgf(const std::string& name);

// Names of the shipped models.
std::vector<std::string> shipped_models();

// c[i] = a[i mod |a|] + b[i mod |b|] on storage buffers: one compute segment,
// inputs a and b, output c, sizes in floats.
VgfSpec broadcast_add(int64_t a, int64_t b, int64_t c);

// c = a + b by a compute shader on tensors of 1 x 3 x 5 x 4 floats.
VgfSpec tensor_add();

// Doubles an image of 5 x 3 texels of four floats: a sampled image in, a storage
// image out.
VgfSpec double_image();

}  // namespace vgfio::testing
