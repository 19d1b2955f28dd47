// Anonymous memory with a chosen page size, touched before use.
#pragma once

#include <cstdint>
#include <functional>

namespace presort::inline v0::probe {

enum class Pages { small, huge };  // page size: the system's base pages (4 KiB on x86-64), or 2 MiB

inline constexpr uint64_t kMiB = uint64_t{1} << 20;
inline constexpr uint64_t kSmallPageBytes = 4096;
inline constexpr uint64_t kHugePageBytes = 2 * kMiB;

class Arena {
 public:
  // Maps `bytes` of memory, a multiple of 2 MiB, aligned to 2 MiB, and touches every page. The first touch
  // takes a guest up to seconds per GiB: once `is_enough(touched bytes)` says so, the arena ends
  // at the last power of two that was touched.
  // Errors: EnvironmentError when the system refuses; it says how much was asked for
  Arena(uint64_t bytes, Pages pages, const std::function<bool(uint64_t)>& is_enough = {});
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  char* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

  // Share of the arena that lies on 2 MiB pages, by the kernel's accounting, 0 to 1 (0 when the
  // kernel does not say).
  double huge_fraction() const;

 private:
  char* mapping_ = nullptr;
  uint64_t mapping_bytes_ = 0;
  char* data_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace presort::probe
