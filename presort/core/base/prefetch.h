// Prefetches of one line of memory by the processor: hints without effect on results, which never
// fault. The empty assembler statement has a reason: gcc 12 takes a function that does nothing but
// prefetch for one without effect, and removes every call of it that is not inlined early.
#pragma once

namespace presort::inline v0 {

[[gnu::always_inline]] inline void prefetch_to_read(const void* address) {
  __builtin_prefetch(address, 0);
  asm volatile("");
}

[[gnu::always_inline]] inline void prefetch_to_write(const void* address) {
  __builtin_prefetch(address, 1);
  asm volatile("");
}

}  // namespace presort
