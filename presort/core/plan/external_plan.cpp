#include "presort/core/plan/external_plan.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

bool takes_values(const Problem& problem) {
  return problem.operation == Operation::multireduce || problem.operation == Operation::scatter;
}

// Bytes of all buckets of the largest part.
uint64_t part_bytes(const Problem& problem, const ExternalPlan& plan) {
  const uint64_t buckets = std::min(problem.m, uint64_t{1} << part_shift(problem.m, plan));
  return saturating_round_up(saturating_multiply(buckets, size_bytes(problem.types.value)),
                             kDirectBytes);
}

void check_range(const char* key, uint64_t found, uint64_t least, uint64_t most) {
  if (found < least || found > most) {
    throw PlanError(std::string(key) + ": found " + std::to_string(found) +
                    ", accepted: " + std::to_string(least) + " to " + std::to_string(most));
  }
}

bool fits(const Problem& problem, const ExternalPlan& plan, uint64_t memory_bytes) {
  return external_memory_bytes(problem, plan) <= memory_bytes;
}

// The largest blocks in [least, most] with which some number of parts fits.
std::optional<ExternalPlan> fewest_parts(const Problem& problem, uint64_t memory_bytes,
                                         uint64_t least, uint64_t most) {
  const int most_bits = std::min(kMaxPartBits, std::max(0, label_bits(problem.m) - 10));
  for (int bits = 0; bits <= most_bits; ++bits) {
    for (uint64_t block = most; block >= least; block /= 2) {
      const ExternalPlan plan{bits, block, 8};
      if (part_shift(problem.m, plan) <= 32 && fits(problem, plan, memory_bytes)) {
        return plan;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

int part_shift(uint64_t m, const ExternalPlan& plan) {
  return std::max(0, label_bits(m) - plan.part_bits);
}

uint64_t part_count(uint64_t m, const ExternalPlan& plan) {
  return ((m - 1) >> part_shift(m, plan)) + 1;
}

uint64_t block_records(const ExternalPlan& plan, uint64_t record_bytes) {
  return std::max(kRecordUnit, plan.block_bytes / record_bytes / kRecordUnit * kRecordUnit);
}

uint64_t input_bytes(const Problem& problem) {
  return size_bytes(problem.types.label) +
         (takes_values(problem) ? size_bytes(problem.types.value) : 0);
}

uint64_t spill_bytes(const Problem& problem) {
  return kPartLabelBytes + (takes_values(problem) ? size_bytes(problem.types.value) : 0);
}

uint64_t external_memory_bytes(const Problem& problem, const ExternalPlan& plan) {
  const bool gathers = problem.operation == Operation::gather;
  const auto depth = static_cast<uint64_t>(plan.depth);
  const uint64_t stream = saturating_multiply(depth, plan.block_bytes);
  const uint64_t parts = part_count(problem.m, plan);
  const uint64_t results = gathers ? stream : 0;
  const uint64_t buckets = part_bytes(problem, plan);
  if (parts == 1) {
    return saturating_add(saturating_add(stream, results), buckets);
  }
  const uint64_t filled = saturating_multiply(parts, plan.block_bytes);
  const uint64_t partition = saturating_add(saturating_multiply(2, stream), filled);
  const uint64_t apply =
      saturating_add(saturating_add(stream, results), saturating_multiply(2, buckets));
  const uint64_t replay =
      gathers ? saturating_add(saturating_multiply(2, stream), saturating_multiply(2, filled)) : 0;
  return std::max({partition, apply, replay});
}

void check_external(const Problem& problem, const ExternalPlan& plan) {
  const Operation operation = problem.operation;
  if (operation != Operation::multireduce && operation != Operation::scatter &&
      operation != Operation::gather && operation != Operation::histogram) {
    throw InputError("--op: found '" + to_name(kOperations, operation) +
                     "', accepted on files: multireduce, scatter, gather, histogram");
  }
  check_range("partBits", static_cast<uint64_t>(plan.part_bits), 0, kMaxPartBits);
  check_range("block", plan.block_bytes, kLeastBlockBytes, kMostBlockBytes);
  check_range("depth", static_cast<uint64_t>(plan.depth), 2, 64);
  if (!std::has_single_bit(plan.block_bytes)) {
    throw PlanError("block: found " + format_bytes(plan.block_bytes) +
                    ", accepted: a power of two");
  }
  const int shift = part_shift(problem.m, plan);
  if (plan.part_bits > 0 && (uint64_t{1} << shift) < kRecordUnit) {
    throw PlanError("partBits: found " + std::to_string(plan.part_bits) +
                    ", accepted: parts of at least 1024 buckets");
  }
  if (shift > 32) {
    throw PlanError("partBits: found " + std::to_string(plan.part_bits) +
                    ", accepted: parts of at most 2^32 buckets");
  }
}

ExternalPlan external_plan_by_rule(const Problem& problem, uint64_t memory_bytes) {
  constexpr uint64_t kUsualBlock = uint64_t{1} << 20;
  auto plan = fewest_parts(problem, memory_bytes, kUsualBlock, 4 * kUsualBlock);
  plan = plan ? plan : fewest_parts(problem, memory_bytes, kLeastBlockBytes, kUsualBlock / 2);
  if (plan) {
    return *plan;
  }
  if (label_bits(problem.m) > kMaxPartBits + 32) {
    throw InputError("m: found '" + format_count(problem.m) + "', accepted on files: at most 2^44");
  }
  uint64_t least = memory_bytes;
  while (!fewest_parts(problem, least, kLeastBlockBytes, kUsualBlock)) {
    least = saturating_multiply(least | 1, 2);
  }
  throw EnvironmentError("--memory: found " + format_bytes(memory_bytes) + "; enough is " +
                         format_bytes(least) + " for " + format_count(problem.m) + " buckets");
}

std::string to_string(const ExternalPlan& plan) {
  return "partBits=" + std::to_string(plan.part_bits) + ",block=" + format_bytes(plan.block_bytes) +
         ",depth=" + std::to_string(plan.depth);
}

ExternalPlan parse_external_plan(std::string_view key, std::string_view text) {
  ExternalPlan plan;
  const std::string name(key);
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const size_t equals = item.find('=');
    const std::string_view row = item.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : item.substr(equals + 1);
    const std::string full = name + " " + std::string(row);
    constexpr uint64_t kMostNumber = 1000;  // of bits or requests; ranges are checked later
    if (row == "partBits") {
      plan.part_bits = static_cast<int>(std::min(parse_count(full, value), kMostNumber));
    } else if (row == "block") {
      plan.block_bytes = parse_bytes(full, value);
    } else if (row == "depth") {
      plan.depth = static_cast<int>(std::min(parse_count(full, value), kMostNumber));
    } else {
      throw InputError(name + ": found '" + std::string(row) +
                       "', accepted: partBits, block, depth");
    }
  }
  return plan;
}

}  // namespace presort
