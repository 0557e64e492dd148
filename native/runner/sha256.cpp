#include "runner/sha256.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace vgfio {
namespace {

constexpr size_t kBlockBytes = 64;
constexpr size_t kLengthBytes = 8;

// The first 32 bits of the fractional parts of the cube roots of the first 64
// primes.
constexpr std::array<uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<uint32_t, 8>;

constexpr uint32_t rotate(uint32_t value, unsigned by) {
  return (value >> by) | (value << (32 - by));
}

void compress(State& state, const uint8_t* block) {
  std::array<uint32_t, 64> words;
  for (size_t i = 0; i < 16; ++i) {
    const uint8_t* at = block + 4 * i;
    words[i] = uint32_t{at[0]} << 24 | uint32_t{at[1]} << 16 | uint32_t{at[2]} << 8 | at[3];
  }
  for (size_t i = 16; i < words.size(); ++i) {
    const uint32_t a = words[i - 15];
    const uint32_t b = words[i - 2];
    words[i] = words[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)) + words[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                           ((e & f) ^ (~e & g)) + kRoundConstants[i] + words[i];
    const uint32_t second =
        (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const State change = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i) state[i] += change[i];
}

// The message's last bytes, a one bit, zeros and the length in bits.
void compress_tail(State& state, const uint8_t* rest, size_t rest_bytes, uint64_t total_bytes) {
  std::array<uint8_t, 2 * kBlockBytes> tail{};
  if (rest_bytes > 0) std::memcpy(tail.data(), rest, rest_bytes);
  tail[rest_bytes] = 0x80;
  const size_t tail_bytes =
      rest_bytes + 1 + kLengthBytes <= kBlockBytes ? kBlockBytes : 2 * kBlockBytes;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    tail[tail_bytes - 1 - i] = static_cast<uint8_t>(total_bytes * 8 >> (8 * i));
  }
  for (size_t at = 0; at < tail_bytes; at += kBlockBytes) compress(state, tail.data() + at);
}

}  // namespace

std::string sha256_hex(const void* data, size_t bytes) {
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto* next = static_cast<const uint8_t*>(data);
  size_t rest = bytes;
  for (; rest >= kBlockBytes; rest -= kBlockBytes, next += kBlockBytes) compress(state, next);
  compress_tail(state, next, rest, bytes);

  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[(word >> shift) & 0xf];
  }
  return text;
}

}  // namespace vgfio
