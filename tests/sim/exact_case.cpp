#include "tests/sim/exact_case.h"

#include "presort/sim/cache/cache_stack.h"
#include "tests/sim/cache/stack_oracle.h"
#include "tests/sim/dice.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::test {

namespace {

constexpr uint64_t kUnit = 64;
constexpr const char* kNames[] = {"L1", "L2", "L3", "L4"};
constexpr uint64_t kSteps = 600;

CacheLevel any_level(Dice& dice, size_t i) {
  const uint64_t most_sets = uint64_t{4} << (2 * i);  // most sets: 4, 16, 64, 256 for levels 0 to 3
  const bool fully = dice.one_in(8);
  CacheLevel level = small_level(kNames[i], fully ? 1 : dice.between(1, most_sets),
                                 dice.between(1, fully ? 40 : 17), 4 + 10 * static_cast<double>(i),
                                 static_cast<int>(dice.between(1, 9)));
  const uint64_t sectors = dice.one_in(3) ? uint64_t{1} << dice.between(1, 4) : 1;
  level.size_bytes *= sectors;
  level.line_bytes = kUnit * sectors;
  level.sector_bytes = sectors > 1 ? kUnit : 0;
  level.policy = parse_replacement("policy", any_policy(dice));
  level.hashed = dice.one_in(3);
  level.slices = dice.one_in(2) ? most_slices(level) : 1;
  level.share = dice.one_in(4) ? 0.6 : 1;
  level.write = dice.one_in(4) ? WriteMode::through : WriteMode::back;
  level.write_allocate = !dice.one_in(4);
  if (i > 0) {
    const uint64_t kind = dice.below(4);
    level.inclusion = kind == 0   ? Inclusion::inclusive
                      : kind == 1 ? Inclusion::exclusive
                                  : Inclusion::nonInclusive;
    level.fill = kind == 1 || (kind == 2 && dice.one_in(4)) ? Fill::onEvict : Fill::onMiss;
  }
  return level;
}

template <class Counts>
std::string compare_counts(const std::vector<LevelCounts>& found, const Counts& expected) {
  std::string difference;
  for (size_t i = 0; i < found.size(); ++i) {
    const auto check = [&](const char* what, uint64_t a, uint64_t b) {
      if (a != b) {
        difference += found[i].name + " " + what + " " + std::to_string(a) + " instead of " +
                      std::to_string(b) + "; ";
      }
    };
    const StackOracle::Counts& right = expected.counts(i);
    check("accesses", found[i].accesses, right.accesses);
    check("hits", found[i].hits, right.hits);
    check("misses", found[i].misses, right.accesses - right.hits);
    check("writebacks", found[i].writebacks, right.writebacks);
    check("sector misses", found[i].sector_misses, right.sector_misses);
    check("writes sent on", found[i].write_throughs, right.write_throughs);
    check("back-invalidations", found[i].back_invalidations, right.back_invalidations);
    check("bytes in", found[i].bytes_in, right.bytes_in);
    check("bytes out", found[i].bytes_out, right.bytes_out);
  }
  return difference;
}

// One trace on three models of the same caches: timed, without time (warm), oracle.
struct Rig {
  explicit Rig(const Machine& machine)
      : timed(machine, 7), warming(machine, 7), oracle(machine, 7) {}

  void step(Dice& dice, uint64_t footprint) {
    const uint64_t unit = dice.one_in(3) ? dice.below(1 + footprint / 8) : dice.below(footprint);
    t += static_cast<double>(dice.below(50));
    if (dice.one_in(20)) {
      timed.stream_store(unit, t);
      warming.warm_stream_store(unit);
      oracle.stream_store(unit);
    } else if (dice.one_in(16)) {
      const uint64_t bytes = 16 * dice.between(1, 2);
      const uint64_t offset = 16 * dice.below((kUnit - bytes) / 16 + 1);
      timed.stream_store(unit * kUnit + offset, bytes, t);
      warming.warm_stream_store(unit * kUnit + offset, bytes);
      oracle.stream_part(unit, offset, bytes);
    } else {
      const size_t level = dice.one_in(8) ? dice.below(timed.levels()) : 0;
      const bool write = level == 0 && dice.one_in(2);
      const uint64_t bytes = uint64_t{1} << dice.below(4);
      timed.access(level, unit, t, write, course, bytes);
      warming.warm(level, unit, write, bytes);
      oracle.access(level, unit, write, bytes);
    }
  }

  std::string compare_memory(const sim::CacheStack& stack) const {
    const bool equal = stack.memory_reads() == oracle.memory_reads &&
                       stack.memory_writes() == oracle.memory_writes &&
                       stack.partial_writes() == oracle.partial_writes;
    return equal ? ""
                 : "memory " + std::to_string(stack.memory_reads()) + " reads, " +
                       std::to_string(stack.memory_writes()) + " writes, instead of " +
                       std::to_string(oracle.memory_reads) + ", " +
                       std::to_string(oracle.memory_writes) + "; ";
  }

  std::string difference() {
    std::string text = compare_counts(timed.counts(), oracle);
    text += compare_counts(warming.counts(), oracle);
    text += compare_memory(timed) + compare_memory(warming);
    return text + oracle.broken_rule();
  }

  sim::CacheStack timed;
  sim::CacheStack warming;
  StackOracle oracle;
  sim::Course course;
  double t = 0;
};

}  // namespace

Machine exact_machine(uint64_t number) {
  Dice dice(2 * number);
  Machine machine = small_machine();
  machine.caches.clear();
  for (size_t i = dice.between(1, 4); i-- > 0;) {
    machine.caches.push_back(any_level(dice, machine.caches.size()));
  }
  machine.write_combining = static_cast<int>(dice.below(5));
  return machine;
}

ExactResult run_exact_case(uint64_t number) {
  const Machine machine = exact_machine(number);
  if (const auto problem = find_machine_problem(machine)) {
    return {0, problem->key_path + ": " + problem->message};
  }
  uint64_t units = 0;
  for (const CacheLevel& level : machine.caches) {
    units += level.size_bytes / kUnit;
  }
  Dice dice(2 * number + 1);
  // Number of lines that a trace touches: from as many as the first level holds to more than all
  // levels hold.
  const uint64_t footprint = dice.between(1, std::min<uint64_t>(2 * units, kSteps) + 8);
  Rig rig(machine);
  for (uint64_t step = 0; step < kSteps; ++step) {
    rig.step(dice, footprint);
  }
  return {kSteps, rig.difference()};
}

}  // namespace presort::test
