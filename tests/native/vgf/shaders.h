// Compute shaders for compute segments, as SPIR-V words.
#pragma once

#include <cstdint>
#include <vector>

namespace vgfio::testing {

// layout(local_size_x = 64) in;
// layout(set = 0, binding = 0) readonly buffer A { float a[]; };
// layout(set = 0, binding = 1) readonly buffer B { float b[]; };
// layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
// void main() {
//   uint i = gl_GlobalInvocationID.x;
//   if (i < c.length()) c[i] = a[i % a.length()] + b[i % b.length()];
// }
const std::vector<uint32_t>& broadcast_add_shader();

// layout(local_size_x = 8, local_size_y = 8) in;
// layout(set = 0, binding = 0) uniform sampler2D source;
// layout(set = 1, binding = 0, rgba32f) writeonly uniform image2D target;
// void main() {
//   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
//   if (any(greaterThanEqual(p, imageSize(target)))) return;
//   vec2 at = (vec2(p) + 0.5) / vec2(textureSize(source, 0));
//   imageStore(target, p, 2.0 * textureLod(source, at, 0.0));
// }
const std::vector<uint32_t>& double_image_shader();

// #extension GL_ARM_tensors : require
// layout(local_size_x = 1) in;
// layout(set = 0, binding = 0) uniform tensorARM<float, 4> a;
// layout(set = 0, binding = 1) uniform tensorARM<float, 4> b;
// layout(set = 0, binding = 2) uniform tensorARM<float, 4> c;
// void main() {
//   uint at[4] = uint[](0, gl_GlobalInvocationID.z, gl_GlobalInvocationID.y,
//                       gl_GlobalInvocationID.x);
//   float x, y;
//   tensorReadARM(a, at, x);
//   tensorReadARM(b, at, y);
//   tensorWriteARM(c, at, x + y);
// }
const std::vector<uint32_t>& tensor_add_shader();

}  // namespace vgfio::testing
