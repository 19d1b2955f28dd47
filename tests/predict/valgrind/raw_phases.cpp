// Runs every case on plain memory, with a store to a mark before and after each, and prints where
// its arrays are. For valgrind_test.cpp, which runs it under valgrind.
#include <cstdio>

#include "presort/cpu/memory/memory.h"
#include "tests/predict/valgrind/phase_cases.h"

namespace {

using namespace presort;
using namespace presort::test::cases;

// A barrier for the compiler: all accesses before it are done, and none after it has begun.
void barrier() {
  asm volatile("" ::: "memory");
}

void run_marked(CaseArrays& storage, size_t which) {
  const auto array = [&](auto member) { return &(storage.*member)[0]; };
  cpu::RawMemory memory;
  prepare(storage, static_cast<Case>(which));
  barrier();
  storage.marks[2 * which] = 1;
  barrier();
  run_case(static_cast<Case>(which), memory, array);
  barrier();
  storage.marks[2 * which + 1] = 1;
}

}  // namespace

int main() {
  static CaseArrays storage;  // prepare() is the first to store to the arrays
  std::printf("%p\n", static_cast<void*>(&storage));
  for (size_t which = 0; which < static_cast<size_t>(Case::count); ++which) {
    run_marked(storage, which);
  }
  return 0;
}
