// A hash of a key that can be undone: different keys have different hashes, and key_of(hash_of(key)) is
// the key. So hashes are grouped instead of keys, and turned back into keys at the end.
// Source:   finalizers of MurmurHash3 (Appleby 2011): every bit of the key changes half of the hash's
#pragma once

#include <cstdint>

namespace presort::inline v0 {

constexpr uint64_t hash_of(uint64_t key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdu;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53u;
  return key ^ (key >> 33);
}

constexpr uint64_t key_of(uint64_t hash) {
  hash ^= hash >> 33;
  hash *= 0x9cb4b2f8129337dbu;
  hash ^= hash >> 33;
  hash *= 0x4f74430c22a54005u;
  return hash ^ (hash >> 33);
}

constexpr uint32_t hash_of(uint32_t key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  key ^= key >> 13;
  key *= 0xc2b2ae35u;
  return key ^ (key >> 16);
}

constexpr uint32_t key_of(uint32_t hash) {
  hash ^= hash >> 16;
  hash *= 0x7ed1b41du;
  hash ^= (hash >> 13) ^ (hash >> 26);
  hash *= 0xa5cb9243u;
  return hash ^ (hash >> 16);
}

static_assert(key_of(hash_of(uint64_t{0x0123456789abcdef})) == 0x0123456789abcdef);
static_assert(key_of(hash_of(uint32_t{0x01234567})) == 0x01234567);

// The hash that marks an empty place of a table. One key has it, which tables treat by itself.
template <class Hash>
inline constexpr Hash kNoHash = static_cast<Hash>(~Hash{0});

}  // namespace presort
