// n uniform labels in ascending order, any slice of them alone. A tree halves the range of labels;
// how many of a node's inputs lie in its lower half is binomial, drawn from the node's own seed. A
// leaf of few inputs draws its labels and sorts them. Measured (machine and command:
// core/labels/kinds/kinds.h), n = 2^26: 30 ns per label for m = 2^28, where leaves are sorted; 2 ns
// for m = 2^20, where most are single labels.
#include <algorithm>

#include "presort/core/base/random.h"
#include "presort/core/labels/binomial.h"
#include "presort/core/labels/kinds/kinds.h"

namespace presort::inline v0 {
namespace {

constexpr uint64_t kLeafInputs = 64;

// A node of the tree: `count` sorted labels of [low, high), at indices from `first`.
struct Node {
  uint64_t low;
  uint64_t high;
  uint64_t first;
  uint64_t count;
  uint64_t seed;

  bool is_leaf() const { return count <= kLeafInputs || high - low == 1; }
};

struct Halves {
  Node lower;
  Node upper;
};

Halves split(const Node& node) {
  const uint64_t width = node.high - node.low;
  const uint64_t middle = node.low + width / 2;
  const double part = static_cast<double>(width / 2) / static_cast<double>(width);
  const uint64_t below = draw_binomial(random_u64(node.seed, 0), node.count, part);
  return {{node.low, middle, node.first, below, random_u64(node.seed, 1)},
          {middle, node.high, node.first + below, node.count - below, random_u64(node.seed, 2)}};
}

// Draws the labels of a leaf and sorts them. Requires: a leaf of more than one label, hence of at
// most kLeafInputs inputs
std::span<const uint64_t> draw_leaf(const Node& leaf, uint64_t (&labels)[kLeafInputs]) {
  const std::span<uint64_t> drawn(labels, static_cast<size_t>(leaf.count));
  for (size_t i = 0; i < drawn.size(); ++i) {
    drawn[i] = leaf.low + bounded(random_u64(leaf.seed, i), leaf.high - leaf.low);
  }
  std::ranges::sort(drawn);
  return drawn;
}

// Writes the labels of a node whose indices lie in [first, first + out.size()).
void generate_node(const Node& node, uint64_t first, std::span<uint64_t> out) {
  const uint64_t begin = std::max(node.first, first);
  const uint64_t end = std::min(node.first + node.count, first + out.size());
  if (begin >= end) {
    return;
  }
  if (!node.is_leaf()) {
    const Halves halves = split(node);
    generate_node(halves.lower, first, out);
    generate_node(halves.upper, first, out);
    return;
  }
  const std::span<uint64_t> part = out.subspan(begin - first, end - begin);
  if (node.high - node.low == 1) {
    std::ranges::fill(part, node.low);
    return;
  }
  uint64_t labels[kLeafInputs];
  const std::span<const uint64_t> drawn = draw_leaf(node, labels);
  std::ranges::copy(drawn.subspan(begin - node.first, part.size()), part.begin());
}

// Number of inputs of the whole sequence with labels below `label`.
uint64_t count_below(Node node, uint64_t label) {
  while (label > node.low && label < node.high) {
    if (node.is_leaf()) {  // here: a leaf of several labels, with `label` between its bounds
      uint64_t labels[kLeafInputs];
      const auto drawn = draw_leaf(node, labels);
      return node.first +
             static_cast<uint64_t>(std::ranges::lower_bound(drawn, label) - drawn.begin());
    }
    const Halves halves = split(node);
    node = label < halves.upper.low ? halves.lower : halves.upper;
  }
  return label <= node.low ? node.first : node.first + node.count;
}

Node root(const LabelSequence& sequence) {
  return {0, sequence.m, 0, sequence.n, sequence.seed};
}

class SortedLabels : public RangedLabels {
 public:
  SortedLabels(const LabelSequence& sequence, LabelRange range)
      : SortedLabels(sequence, range, count_below(root(sequence), range.low),
                     count_below(root(sequence), range.high)) {}

  void generate(uint64_t first, std::span<uint64_t> out) const override {
    generate_node(root(sequence()), offset_ + first, out);
  }

 private:
  SortedLabels(const LabelSequence& sequence, LabelRange range, uint64_t first, uint64_t end)
      : RangedLabels(sequence, range, end - first), offset_(first) {}

  std::shared_ptr<const LabelSource> narrowed(LabelRange range) const override {
    return std::make_shared<SortedLabels>(sequence(), range);
  }

  uint64_t offset_;
};

}  // namespace

std::shared_ptr<const LabelSource> make_sorted_labels(const LabelSequence& sequence,
                                                      const Distribution&) {
  return std::make_shared<SortedLabels>(sequence, LabelRange{0, sequence.m});
}

}  // namespace presort
