// A plan for inputs that memory does not hold: how they are cut into parts on a block device, and
// in what pieces they are moved. Pure arithmetic; external/external_run.h runs it.
//   parts     part p has the buckets [p << shift, (p + 1) << shift): the top part_bits of a label
//             say its part. One part: the inputs stream past buckets that are all in memory
//   blocks    bytes of one request to the device; each part of a partition fills one
//   depth     requests of one stream that are under way at a time
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "presort/core/problem.h"

namespace presort::inline v0 {

struct ExternalPlan {
  int part_bits = 0;                  // 0 … kMaxPartBits
  uint64_t block_bytes = 1024 << 10;  // kLeastBlockBytes … kMostBlockBytes, a power of two
  int depth = 8;                      // 2 … 64
  bool operator==(const ExternalPlan&) const = default;
};

inline constexpr int kMaxPartBits = 12;
inline constexpr uint64_t kLeastBlockBytes = 32 << 10;
inline constexpr uint64_t kMostBlockBytes = 16384 << 10;
// Unit of the addresses and lengths of direct I/O, bytes
inline constexpr uint64_t kDirectBytes = 4096;
// Records of a block are a multiple of this number, so that arrays in a block begin at multiples of
// kDirectBytes where elements have 4 bytes or more.
inline constexpr uint64_t kRecordUnit = 1024;
// Bytes of a label within its part, as it is kept in a spill file
inline constexpr uint64_t kPartLabelBytes = 4;

// Buckets of a part are 2^part_shift() in number; the last part may have fewer.
int part_shift(uint64_t m, const ExternalPlan& plan);
// Number of parts of m buckets. Requires: m >= 1
uint64_t part_count(uint64_t m, const ExternalPlan& plan);
// Records of `record_bytes` bytes in a block, a multiple of kRecordUnit.
uint64_t block_records(const ExternalPlan& plan, uint64_t record_bytes);

// The problem's arrays that are read in the order of the inputs, bytes of an input: its label, and
// its value where the operation has values.
uint64_t input_bytes(const Problem& problem);
// Bytes of an input in a spill file.
uint64_t spill_bytes(const Problem& problem);

// Most memory that a run of the plan takes, bytes: its largest pass.
// Requires: one of the operations of check_external()
uint64_t external_memory_bytes(const Problem& problem, const ExternalPlan& plan);

// Checks a plan.
// Errors: PlanError for a number outside its range, more bits than labels have, parts of fewer than
//         kRecordUnit buckets, or parts of more than 2^32; InputError for an operation other than
//         multireduce, scatter, gather, histogram
void check_external(const Problem& problem, const ExternalPlan& plan);

// The plan by a rule, for devices of which nothing is known: the fewest parts, then the largest
// blocks of up to 4 MiB, that `memory_bytes` allow; blocks below 1 MiB only where no others fit.
// Errors: EnvironmentError naming a memory with which there is a plan; InputError above 2^44
//         buckets
ExternalPlan external_plan_by_rule(const Problem& problem, uint64_t memory_bytes);

// A plan as text: "partBits=5,block=1MiB,depth=8", and back; keys that are left out have their
// defaults.
// Errors: InputError naming `key` and what is wrong; ranges are checked by check_external()
std::string to_string(const ExternalPlan& plan);
ExternalPlan parse_external_plan(std::string_view key, std::string_view text);

}  // namespace presort
