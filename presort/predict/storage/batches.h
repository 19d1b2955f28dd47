// The mean time of consecutive items of a phase and its error, from batches of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace presort::inline v0::predict {

class Batches {
 public:
  void add(uint64_t items, double ns) {
    items_.push_back(static_cast<double>(items));
    ns_.push_back(ns);
  }
  size_t size() const { return ns_.size(); }
  double mean() const { return sum(ns_) / sum(items_); }
  // Variance of mean(), a ratio of two sums; 0 for fewer than two batches.
  double variance() const {
    const auto count = static_cast<double>(ns_.size());
    if (count < 2) {
      return 0;
    }
    double squares = 0;
    for (size_t i = 0; i < ns_.size(); ++i) {
      squares += std::pow(ns_[i] - mean() * items_[i], 2);
    }
    return squares / (count * (count - 1)) / std::pow(sum(items_) / count, 2);
  }

 private:
  static double sum(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
      sum += value;
    }
    return sum;
  }
  std::vector<double> items_;
  std::vector<double> ns_;
};

}  // namespace presort::predict
