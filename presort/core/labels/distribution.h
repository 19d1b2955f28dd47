// How labels are distributed over the buckets (docs/reference/problem-keys.md).
#pragma once

#include <array>
#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace presort::inline v0 {

enum class DistributionKind {
  uniform,  // uniform: independent labels, each bucket equally likely
  zipf,  // zipf: P(rank r) ∝ (r + 1)^-S, ranks scattered over the labels by a fixed permutation
  zipfContiguous,  // zipf-contiguous: P(label r) ∝ (r + 1)^-S: popular labels lie together
  clustered,       // runs of geometric length, mean K, of labels within an aligned window of 64
  sequential,      // sequential: label i is ⌊i · m / n⌋
  sorted,          // sorted: uniform labels in ascending order
  permutation,     // permutation: a random one of 0 … m-1, a new one for every m inputs
  degenerate,      // degenerate: all labels equal ⌊m / 2⌋
  rmat,            // rmat: destinations of an R-MAT graph's edges, in random order (kinds/rmat.cpp)
  words,           // words: P(rank r) ∝ (r + 1 + Q)^-S, ranks scattered as those of zipf
  cells,           // cells: particles sorted by cell that have moved since (kinds/cells.cpp)
  sessions,        // sessions: bursts of one key behind a front of new keys (kinds/sessions.cpp)
  strays,          // strays: label i is ⌊i · m / n⌋, or any label with probability P
  file,            // file: labels read from a file
};

// True if no label is below the one before.
constexpr bool is_in_order(DistributionKind kind) {
  return kind == DistributionKind::sequential || kind == DistributionKind::sorted;
}

inline constexpr double kMaxZipfExponent = 8;
// Greatest mean run length K of clustered labels: any slice looks back that far for the start of
// its run
inline constexpr double kMaxClusterLength = 1 << 20;

inline constexpr double kMaxWordShift = 1 << 20;  // greatest shift Q of the distribution words
// Greatest K of the distribution cells, in grid cells along each axis
inline constexpr double kMaxMove = 1 << 10;

struct Distribution {
  DistributionKind kind = DistributionKind::uniform;
  // First parameter of the distribution: S for zipf, K for clustered, …
  double parameter = 0;
  std::string path;  // path of the label file; empty for other kinds
  // Further parameters of the distribution: Q for words, B and C for rmat
  std::array<double, 2> more = {};
  bool operator==(const Distribution&) const = default;
  auto operator<=>(const Distribution&) const = default;
};

// A distribution from its text: "uniform", "zipf:1.25", "zipf-contiguous:1", "clustered:16", "file:PATH", …
// Errors: InputError naming `key`, also for a path that cannot be shown (core/text/display_text.h).
Distribution parse_distribution(std::string_view key, std::string_view text);
std::string to_string(const Distribution& distribution);

// How each kind of distribution is written: "zipf:S with 0 < S <= 8".
std::vector<std::string> distribution_forms();

// True if predictions find out how labels of a kind are distributed by looking at some of them, as
// at those of a file: their locality follows from no simple formula.
bool known_by_looking(DistributionKind kind);

// Checks a distribution. Errors: InputError naming `key` for a parameter that the kind does not take.
void check_distribution(std::string_view key, const Distribution& distribution);

}  // namespace presort
