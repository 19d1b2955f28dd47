#include "bench/peers/sorts.h"

#include <algorithm>

#include "bench/peers/keys.h"

#ifdef PRESORT_PEER_VQSORT
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>  // included for the library's version
#endif
#ifdef PRESORT_PEER_SPREADSORT
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <boost/version.hpp>
#endif

namespace presort::inline v0::bench::peers {

namespace {

template <class Sort>
Contender by_sort(const char* name, uint64_t n, Sort sort) {
  return {.name = name, .scratch_bytes = n * sizeof(Key), .run = [sort](const Arrays& arrays) {
            sort_and_reduce(arrays, sort);
          }};
}

#ifdef PRESORT_PEER_SPREADSORT
// Sorts by the label alone, so that the sort skips the lower half of the keys.
struct LabelDigits {
  Key operator()(Key key, unsigned bits) const { return (key >> 32) >> bits; }
};
struct ByLabel {
  bool operator()(Key a, Key b) const { return label_of(a) < label_of(b); }
};
#endif

}  // namespace

void add_sorts(std::vector<Contender>& contenders,
               [[maybe_unused]] std::vector<std::string>& left_out, uint64_t n) {
  contenders.push_back(
      by_sort("std::sort", n, [](std::span<Key> keys) { std::sort(keys.begin(), keys.end()); }));
#ifdef PRESORT_PEER_VQSORT
  contenders.push_back(by_sort("vqsort", n, [](std::span<Key> keys) {
    hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending());
  }));
  contenders.push_back(by_sort("vqsort, K32V32", n, [](std::span<Key> keys) {
    hwy::Sorter()(reinterpret_cast<hwy::K32V32*>(keys.data()), keys.size(), hwy::SortAscending());
  }));
#else
  left_out.push_back("vqsort: Highway with its sort was not found; Debian: libhwy-dev");
#endif
#ifdef PRESORT_PEER_SPREADSORT
  contenders.push_back(by_sort("spreadsort", n, [](std::span<Key> keys) {
    boost::sort::spreadsort::integer_sort(keys.begin(), keys.end());
  }));
  contenders.push_back(by_sort("spreadsort, labels only", n, [](std::span<Key> keys) {
    boost::sort::spreadsort::integer_sort(keys.begin(), keys.end(), LabelDigits(), ByLabel());
  }));
#else
  left_out.push_back("spreadsort: Boost.Sort was not found; Debian: libboost-dev");
#endif
}

std::string sort_versions() {
  std::string text = "g++ " __VERSION__;
#ifdef PRESORT_PEER_VQSORT
  text += ", Highway " + std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." +
          std::to_string(HWY_PATCH);
#endif
#ifdef PRESORT_PEER_SPREADSORT
  text += ", Boost " + std::to_string(BOOST_VERSION / 100000) + "." +
          std::to_string(BOOST_VERSION / 100 % 1000);
#endif
  return text;
}

}  // namespace presort::bench::peers
