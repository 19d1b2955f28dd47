// Results of a made-up machine, and searches in text, for tests of report pages.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "presort/app/page/page_data.h"

namespace page_test {

using namespace presort;
using namespace presort::app;
using namespace presort::app::page;

inline size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline Result a_result(uint64_t m, bool presorted, double measured, double predicted) {
  return {.operation = "multireduce",
          .labels = "uniform",
          .types = "u32+u32",
          .n = 1 << 20,
          .m = m,
          .plan = presorted ? "sortBits=8" : "sortBits=0",
          .plan_words = presorted ? "sort 8 bits in 1 pass" : "direct",
          .presorted = presorted,
          .samples = std::vector<double>(4, measured),
          .quiet = 4,
          .forecast =
              Forecast{.ns = predicted,
                       .low = 0.8 * predicted,
                       .high = 1.25 * predicted,
                       .stack = {{"core", 0.25 * predicted}, {"memoryLatency", 0.75 * predicted}},
                       .phases = {{"reduce", predicted}},
                       .memory_bytes = 40},
          .least_bytes = 8,
          .ceiling = 1e10};
}

// Three numbers of buckets: a pre-sort takes 4 ns everywhere, the direct plan 1, 4 and 16.
inline Subject a_subject() {
  Subject subject;
  subject.name = "a-machine";
  for (const auto& [bits, direct] : {std::pair{10, 1.0}, {16, 4.0}, {22, 16.0}}) {
    subject.results.push_back(a_result(uint64_t{1} << bits, false, direct, 1.1 * direct));
    subject.results.push_back(a_result(uint64_t{1} << bits, true, 4, 4));
  }
  return subject;
}

}  // namespace page_test
