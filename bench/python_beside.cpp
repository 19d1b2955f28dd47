// Time of the C++ call that presort.index_add makes, for bench/python_calls.py: the same labels and values,
// read from files, added into buckets that are kept, with labels checked and scratch kept.
//   python_beside LABELS VALUES BUCKETS CALLS
// LABELS: int64, VALUES: float64, both raw; BUCKETS: their number; CALLS: timed calls after one that is
// not timed. Prints the time of each call, ns, one a line.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "presort/presort.h"

namespace {

template <class Element>
std::vector<Element> read_raw(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<Element> elements(static_cast<size_t>(file.tellg()) / sizeof(Element));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(elements.data()),
            static_cast<std::streamsize>(elements.size() * sizeof(Element)));
  return elements;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: python_beside LABELS VALUES BUCKETS CALLS\n");
    return 2;
  }
  const auto labels = read_raw<int64_t>(argv[1]);
  const auto values = read_raw<double>(argv[2]);
  std::vector<double> buckets(std::strtoull(argv[3], nullptr, 10));
  const int calls = std::atoi(argv[4]);
  presort::cpu::Scratch scratch;
  const presort::CallOptions options = {.checks = presort::cpu::Checks::on, .scratch = &scratch};
  for (int call = 0; call <= calls; ++call) {
    const auto began = std::chrono::steady_clock::now();
    presort::multireduce(labels, values, buckets, options);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
    if (call > 0) {
      fmt::print("{:.0f}\n", took.count());
    }
  }
  return 0;
}
