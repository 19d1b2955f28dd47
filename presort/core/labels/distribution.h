// How labels are distributed over the buckets; design table "Distributions, by formula".
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace presort::inline v0 {

enum class DistributionKind {
  uniform,  // independent, each bucket equally likely
  zipf,     // P(rank r) ∝ (r + 1)^-S, ranks scattered over the labels by a fixed permutation
  zipfContiguous,  // P(label r) ∝ (r + 1)^-S: popular labels lie together
  clustered,       // runs of geometric length, mean K, of labels within an aligned window of 64
  sequential,      // ⌊i · m / n⌋
  sorted,          // uniform, sorted
  permutation,     // a random permutation of 0 … m-1, a new one for every m inputs
  degenerate,      // all equal to ⌊m / 2⌋
  file,            // read from a file
};

inline constexpr double kMaxZipfExponent = 8;
inline constexpr double kMaxClusterLength = 1 << 20;  // bound of K: a slice looks back this far for
                                                      // the start of its run

struct Distribution {
  DistributionKind kind = DistributionKind::uniform;
  double parameter = 0;  // S for zipf (0 < S ≤ 8), K for clustered (1 ≤ K ≤ 2^20)
  std::string path;      // of a file distribution
  bool operator==(const Distribution&) const = default;
  auto operator<=>(const Distribution&) const = default;
};

// "uniform", "zipf:1.25", "zipf-contiguous:1", "clustered:16", "file:PATH", …
// Errors: InputError naming `key`, also for a path that cannot be shown (core/text/display_text.h).
Distribution parse_distribution(std::string_view key, std::string_view text);
std::string to_string(const Distribution& distribution);

// How each kind is written: "zipf:S with 0 < S <= 8".
std::vector<std::string> distribution_forms();

// Errors: InputError naming `key` for a parameter that the kind does not take.
void check_distribution(std::string_view key, const Distribution& distribution);

}  // namespace presort
