// Prints the figures of docs/results/cpu-kernels.md: times of a pre-sorted multireduce, phase by
// phase, beside the plain loop and beside what the machine's memory allows. u32 labels and values,
// one thread, 2 MiB pages; ns per input, median of quiet runs taken by turns.
// usage: presort_speed LOG2_N LOG2_M LABELS ROUNDS PLAN...
//        taskset -c 1 presort_speed 26 24 uniform 9 sortBits=8 sortBits=8,bufferBytes=512B
// A PLAN may be `rule`: the plan that a call without a table takes for such labels
// (core/choice/plan_choice.h).
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "bench/race.h"
#include "presort/core/base/random.h"
#include "presort/core/choice/plan_choice.h"
#include "presort/core/labels/labels.h"
#include "presort/cpu/memory/private_cache.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/pages.h"

namespace {

using namespace presort;
using bench::Contender;
using Label = uint32_t;
using Value = uint32_t;
using Store = cpu::PairStore<Label, Value>;
using Input = cpu::SeparateInput<cpu::RawMemory, Label, Value>;
using Piece = cpu::OnePiece<Input>;

constexpr double kInputBytes = sizeof(Label) + sizeof(Value);

struct Memory {
  Memory(const Problem& problem, size_t scratch_bytes)
      : label_pages(problem.n * sizeof(Label), PageSize::k2MiB),
        value_pages(problem.n * sizeof(Value) + cpu::kStagger, PageSize::k2MiB),
        bucket_pages(problem.m * sizeof(Value) + 2 * cpu::kStagger, PageSize::k2MiB),
        scratch_pages(scratch_bytes + 3 * cpu::kStagger, PageSize::k2MiB),
        labels(label_pages.array<Label>(problem.n)),
        values(value_pages.array<Value>(problem.n, cpu::kStagger)),
        buckets(bucket_pages.array<Value>(problem.m, 2 * cpu::kStagger)),
        scratch(scratch_pages.bytes().subspan(3 * cpu::kStagger)) {
    const auto source = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
    generate_as<Label>(*source, 0, labels);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<Value>(random_u64(problem.seed, i));
    }
  }

  cpu::PageBuffer label_pages, value_pages, bucket_pages, scratch_pages;
  std::span<Label> labels;
  std::span<Value> values;
  std::span<Value> buckets;
  std::span<std::byte> scratch;
};

void copy_past_caches(const Memory& memory, size_t bytes) {
  const auto* labels = reinterpret_cast<const std::byte*>(memory.labels.data());
  const auto* values = reinterpret_cast<const std::byte*>(memory.values.data());
  std::byte* to = memory.scratch.data();
  for (size_t at = 0; at < bytes; at += kLineBytes) {
    cpu::RawMemory::stream(to, 2 * at, labels, at, kLineBytes);
    cpu::RawMemory::stream(to, 2 * at + kLineBytes, values, at, kLineBytes);
  }
  cpu::stream_fence();
}

void write_past_caches(const Memory& memory, size_t bytes) {
  alignas(kLineBytes) const std::byte line[kLineBytes] = {};
  for (size_t at = 0; at < bytes; at += kLineBytes) {
    cpu::RawMemory::stream(memory.scratch.data(), at, line, 0, kLineBytes);
  }
  cpu::stream_fence();
}

// Adds the timing of streams whose speed bounds the kernels: labels and values read, copied past
// the caches, and written past the caches.
// Requires: the scratch is as large as labels and values together
void add_limits(std::vector<Contender>& contenders, const Memory& memory) {
  const size_t bytes = memory.labels.size_bytes() / kLineBytes * kLineBytes;
  contenders.push_back({"read", kInputBytes, {}, [&memory] {
                          uint32_t sum = 0;
                          for (size_t i = 0; i < memory.labels.size(); ++i) {
                            sum += memory.labels[i] ^ memory.values[i];
                          }
                          probe::keep(sum);
                        }});
  contenders.push_back({"copy past the caches", 2 * kInputBytes, {}, [&memory, bytes] {
                          copy_past_caches(memory, bytes);
                        }});
  contenders.push_back({"write past the caches", kInputBytes, {}, [&memory, bytes] {
                          write_past_caches(memory, 2 * bytes);
                        }});
}

// Times the first pass of a pre-sort, phase by phase.
class FirstPass {
 public:
  FirstPass(const Memory& memory, const CpuPlan& plan)
      : input_{{memory.labels.data(), memory.values.data()}, memory.labels.size()} {
    Carver carver(memory.scratch.data());
    arrays_ = cpu::PresortArrays<Store>::take(carver, plan, memory.labels.size(),
                                              label_bits(memory.buckets.size()));
  }

  void count() const { cpu::count_parts(arrays_, 0, input_); }

  void start() const {
    count();
    cpu::counts_to_starts(arrays_.positions[0], arrays_.digits[0].count(), arrays_.bases[0],
                          arrays_.capacity);
  }

  void move() const {
    cpu::fill_parts<cpu::Flush::streaming>(arrays_, 0, input_);
    cpu::stream_fence();
  }

  void drain() const { cpu::drain_parts<cpu::Flush::streaming>(arrays_, 0); }

 private:
  Piece input_;
  cpu::PresortArrays<Store> arrays_;
};

void add_plan(std::vector<Contender>& contenders, const Memory& memory, const CpuPlan& plan) {
  const bool buffered = plan.presort && plan.base.strategy == CpuStrategy::direct;
  if (buffered && plan.presort->chunk_bytes > 0) {
    Carver carver(memory.scratch.data());
    const size_t n = memory.labels.size();
    const auto chunks = std::make_shared<cpu::ChunkTeam<Store>>(
        cpu::take_chunk_team<Store>(carver, plan, n, label_bits(memory.buckets.size())));
    contenders.push_back(
        {"  partition, drain", 2 * kInputBytes, {}, [&memory, n, chunks] {
           chunks->front().fill(Piece{{memory.labels.data(), memory.values.data()}, n}.input, n);
         }});
  } else if (buffered) {
    const auto pass = std::make_shared<FirstPass>(memory, plan);
    contenders.push_back({"  histogram", sizeof(Label), {}, [pass] { pass->count(); }});
    contenders.push_back(
        {"  partition", 2 * kInputBytes, [pass] { pass->start(); }, [pass] { pass->move(); }});
    contenders.push_back({"  drain", 0, {}, [pass] { pass->drain(); }});
  }
  const auto threads = std::make_shared<cpu::ThreadTeam>(1);
  contenders.push_back({to_string(plan), kInputBytes, {}, [&memory, plan, threads] {
                          cpu::multireduce<Label, Value>(memory.labels, memory.values,
                                                         memory.buckets, Sum<Value>{}, plan,
                                                         memory.scratch, *threads);
                        }});
}

void add_plain_loop(std::vector<Contender>& contenders, const Memory& memory) {
  contenders.push_back({"plain loop", kInputBytes, {}, [&memory] {
                          for (size_t i = 0; i < memory.labels.size(); ++i) {
                            memory.buckets[memory.labels[i]] += memory.values[i];
                          }
                        }});
}

void print(const std::vector<Contender>& contenders, const std::vector<bench::Finish>& finishes) {
  const auto plain = std::ranges::find(contenders, "plain loop", &Contender::name);
  const double reference = finishes[static_cast<size_t>(plain - contenders.begin())].ns_per_input;
  fmt::print("| | ns | GB/s | plain loop / this | quiet runs |\n| --- | --- | --- | --- | --- |\n");
  for (size_t i = 0; i < contenders.size(); ++i) {
    fmt::print("| {} | {:.3f} | {:.1f} | {:.2f} | {} |\n", contenders[i].name,
               finishes[i].ns_per_input, finishes[i].gb_per_second,
               reference / finishes[i].ns_per_input, finishes[i].quiet);
  }
}

void run(const std::vector<std::string>& arguments) {
  Problem problem;
  problem.n = uint64_t{1} << std::stoi(arguments[0]);
  problem.m = uint64_t{1} << std::stoi(arguments[1]);
  problem.distribution = parse_distribution("LABELS", arguments[2]);
  std::vector<CpuPlan> plans;
  size_t scratch = problem.n * (sizeof(Label) + sizeof(Value));
  for (size_t i = 4; i < arguments.size(); ++i) {
    plans.push_back(arguments[i] == "rule" ? plan_by_rule(problem, cpu::cache_sizes())
                                           : parse_cpu_plan(arguments[i]));
    check_plan(plans.back(), problem);
    scratch = std::max(
        scratch, cpu::multireduce_scratch_bytes<Label, Value>(plans.back(), problem.n, problem.m));
  }
  const Memory memory(problem, scratch);
  std::vector<Contender> contenders;
  add_limits(contenders, memory);
  add_plain_loop(contenders, memory);
  for (const CpuPlan& plan : plans) {
    add_plan(contenders, memory, plan);
  }
  fmt::print("n = 2^{}, m = 2^{}, {}\n\n", arguments[0], arguments[1], arguments[2]);
  print(contenders, bench::race(contenders, problem.n, std::stoi(arguments[3])));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: presort_speed LOG2_N LOG2_M LABELS ROUNDS PLAN...\n");
    return 2;
  }
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "presort_speed: {}\n", error.what());
    return 2;
  }
}
