// How labels are distributed over the buckets (docs/reference/problem-keys.md).
#pragma once

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
  file,            // labels read from a file
};

inline constexpr double kMaxZipfExponent = 8;
// Greatest K of clustered: a slice looks back that far for the start of its run
inline constexpr double kMaxClusterLength = 1 << 20;

struct Distribution {
  DistributionKind kind = DistributionKind::uniform;
  double parameter = 0;  // parameter: S for zipf (0 < S ≤ 8), K for clustered (1 ≤ K ≤ 2^20)
  std::string path;      // path of the labels' file; empty for other kinds
  bool operator==(const Distribution&) const = default;
  auto operator<=>(const Distribution&) const = default;
};

// A distribution from its text: "uniform", "zipf:1.25", "zipf-contiguous:1", "clustered:16", "file:PATH", …
// Errors: InputError naming `key`, also for a path that cannot be shown (core/text/display_text.h).
Distribution parse_distribution(std::string_view key, std::string_view text);
std::string to_string(const Distribution& distribution);

// How each kind of distribution is written: "zipf:S with 0 < S <= 8".
std::vector<std::string> distribution_forms();

// Checks a distribution. Errors: InputError naming `key` for a parameter that the kind does not take.
void check_distribution(std::string_view key, const Distribution& distribution);

}  // namespace presort
