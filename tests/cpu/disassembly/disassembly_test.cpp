// Tests that a kernel phase on real memory (RawMemory) compiles to the loop that one would write by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "presort/core/base/random.h"
#include "tests/cpu/disassembly/listing.h"
#include "tests/cpu/disassembly/loops.h"

namespace presort::inline v0::test::disassembly_test {
namespace {

std::vector<std::string> loops_of(const char* object_file, const std::string& function) {
  const Listing listing = disassemble(PRESORT_TEST_OBJDUMP, object_file);
  REQUIRE(listing.contains(function));
  return normalised_loops(listing.at(function));
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

TEST_CASE("the loops of every phase are those of the loop written by hand") {
  for (const std::string loop :
       {"direct_reduce", "direct_scatter", "prefetched_reduce", "pair_reduce", "histogram", "radix",
        "random_gather", "random_update", "random_store", "stream_copy", "stream_update", "gather",
        "scan", "permute_back"}) {
    CAPTURE(loop);
    const auto phase = loops_of(PRESORT_TEST_PHASES_OBJECT, "phase_" + loop);
    const auto plain = loops_of(PRESORT_TEST_PLAIN_OBJECT, "plain_" + loop);
    CHECK(phase.size() >= 5);
    CHECK(joined(phase) == joined(plain));
  }
}

// Only part of the partition's loop is compared: compilers put its vector code and buffer flushes
// in varying order.
TEST_CASE("the loop that moves inputs to their buffers is that of the loop written by hand") {
  const auto moving_loop = [](const char* object_file, const std::string& function) {
    std::vector<std::string> lines = loops_of(object_file, function);
    lines.erase(std::find(lines.begin() + 1, lines.end(), "loop"), lines.end());
    return lines;
  };
  const auto phase = moving_loop(PRESORT_TEST_PHASES_OBJECT, "phase_partition");
  CHECK(phase.size() == 1 + 4 * 15 + 2);  // four inputs per round, 13 to 15 instructions each
  CHECK(joined(phase) == joined(moving_loop(PRESORT_TEST_PLAIN_OBJECT, "plain_partition")));
}

TEST_CASE("a loop that does something else is found to differ") {
  const auto phase = loops_of(PRESORT_TEST_PHASES_OBJECT, "phase_direct_reduce");
  CHECK(phase != loops_of(PRESORT_TEST_PLAIN_OBJECT, "other_direct_reduce"));
  CHECK(phase != loops_of(PRESORT_TEST_PLAIN_OBJECT, "plain_direct_scatter"));
}

TEST_CASE("register names and addresses do not count, operands and parts of registers do") {
  const auto loops = [](const char* body, const char* jump) {
    return normalised_loops({{0x10, body}, {0x14, "add $0x1,%rax"}, {0x18, jump, 0x10}});
  };
  const auto reference = loops("mov (%rdi,%rax,4),%ecx", "jne");
  CHECK(reference == normalised_loops({{0x90, "mov (%r8,%rdx,4),%r9d"},
                                       {0x93, "nopw 0x0(%rax,%rax,1)"},
                                       {0x99, "add $0x1,%rdx"},
                                       {0xa1, "jne", 0x90}}));
  CHECK(reference != loops("mov (%rdi,%rax,8),%ecx", "jne"));
  CHECK(reference != loops("mov (%rdi,%rax,4),%rcx", "jne"));
  CHECK(reference != loops("mov (%rdi,%rcx,4),%ecx", "jne"));
  CHECK(reference != loops("mov (%rdi,%rax,4),%ecx", "jb"));
}

// True if the function can return after a streaming store, or a call that may contain one, without a
// fence in between.
bool returns_unfenced(const std::vector<Instruction>& function) {
  std::vector<bool> reached(function.size());
  std::vector<size_t> open;
  const auto reach = [&](size_t i) {
    if (i < function.size() && !reached[i]) {
      reached[i] = true;
      open.push_back(i);
    }
  };
  for (size_t i = 0; i < function.size(); ++i) {
    if (function[i].text.starts_with("call") || function[i].text.starts_with("movnt")) {
      reach(i + 1);
    }
  }
  while (!open.empty()) {
    const size_t i = open.back();
    open.pop_back();
    const auto& [address, text, target] = function[i];
    if (text.starts_with("ret") || (text.starts_with("jmp") && target == 0)) {
      return true;
    }
    if (target != 0) {
      const auto to = std::ranges::lower_bound(function, target, {}, &Instruction::address);
      reach(static_cast<size_t>(to - function.begin()));
    }
    if (!text.starts_with("sfence") && !text.starts_with("jmp")) {
      reach(i + 1);
    }
  }
  return false;
}

TEST_CASE("no pass that writes past the caches returns without a fence behind the last store") {
  const Listing listing = disassemble(PRESORT_TEST_OBJDUMP, PRESORT_TEST_FENCES_OBJECT);
  CHECK_FALSE(returns_unfenced(listing.at("move_to_parts_streaming")));
  CHECK_FALSE(returns_unfenced(listing.at("fill_chunks")));
  CHECK(returns_unfenced(listing.at("fill_parts_without_fence")));
}

TEST_CASE("a phase takes as long as the loop written by hand (for information)") {
  constexpr size_t kInputs = 1 << 20;
  std::vector<uint32_t> labels(kInputs);
  std::vector<uint32_t> buckets(1 << 12);
  for (size_t i = 0; i < kInputs; ++i) {
    labels[i] = static_cast<uint32_t>(bounded(random_u64(1, i), buckets.size()));
  }
  const auto best_ns = [&](auto loop) {
    double best = 1e9;
    for (int rep = 0; rep < 5; ++rep) {
      const auto start = std::chrono::steady_clock::now();
      loop(labels.data(), labels.data(), buckets.data(), 0, kInputs);
      const std::chrono::duration<double, std::nano> taken =
          std::chrono::steady_clock::now() - start;
      best = std::min(best, taken.count() / kInputs);
    }
    return best;
  };
  const double phase = best_ns(phase_direct_reduce);
  const double plain = best_ns(plain_direct_reduce);
  MESSAGE("direct reduce: phase " << phase << " ns per input, by hand " << plain << ", ratio "
                                  << phase / plain);
  CHECK(phase > 0);
}

}  // namespace
}  // namespace presort::test::disassembly_test
