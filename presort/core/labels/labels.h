// Label sources: the sequence of n labels below m that a distribution and a seed define.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "presort/core/base/stop.h"
#include "presort/core/labels/distribution.h"

namespace presort::inline v0 {

// An immutable sequence of labels. Any slice can be generated alone; all members are thread-safe.
class LabelSource {
 public:
  virtual ~LabelSource() = default;

  // Number of labels in the sequence, and the bound m below which they lie.
  virtual uint64_t size() const = 0;
  virtual uint64_t buckets() const = 0;

  // Writes labels [first, first + out.size()) to `out`.
  // Requires: first + out.size() <= size()
  virtual void generate(uint64_t first, std::span<uint64_t> out) const = 0;

  // The subsequence of labels in [low, high), in order: what a stable partition puts there.
  // For independent labels, for cells, sessions and strays, and for a permutation of more than 2^26
  // inputs, it is a fresh draw of equal distribution, order in time and expected length, so that a
  // partition can be studied without generating all n labels; for the others it is the exact one.
  // Labels keep their values (they are not rebased); buckets() stays m.
  // Requires: low < high <= buckets()
  // Errors:   Stopped once the token of make_labels asks for it
  virtual std::shared_ptr<const LabelSource> restricted(uint64_t low, uint64_t high) const = 0;

  // How many inputs back labels are remembered: a label is likely one of the last reach() inputs,
  // or a new one. 0 for independent labels, and for those in order, where only the label before
  // matters.
  virtual uint64_t reach() const { return 0; }
};

// Makes the label source of a distribution.
// Errors: InputError for n or m of 0, or a file distribution (its labels come from io).
std::shared_ptr<const LabelSource> make_labels(const Distribution& distribution, uint64_t n,
                                               uint64_t m, uint64_t seed, StopToken stop = {});

// Labels that stand in memory, repeated from the start when n exceeds their number.
// Errors: LabelError for the first label >= m.
std::shared_ptr<const LabelSource> make_stored_labels(std::vector<uint64_t> labels, uint64_t n,
                                                      uint64_t m);
// A source of labels that are in memory already and shared by several sources; the labels are not
// checked.
// Requires: at least one label, all < m; n >= 1
std::shared_ptr<const LabelSource> make_shared_labels(
    std::shared_ptr<const std::vector<uint64_t>> labels, uint64_t n, uint64_t m);

// Fills `out` with labels [first, first + out.size()) narrowed to Label.
// Requires: source.buckets() - 1 fits Label
template <class Label>
void generate_as(const LabelSource& source, uint64_t first, std::span<Label> out) {
  uint64_t block[1024];
  for (size_t done = 0; done < out.size();) {
    const size_t count = out.size() - done < 1024 ? out.size() - done : 1024;
    source.generate(first + done, std::span<uint64_t>(block, count));
    for (size_t i = 0; i < count; ++i) {
      out[done + i] = static_cast<Label>(block[i]);
    }
    done += count;
  }
}

}  // namespace presort
