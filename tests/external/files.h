// Files of raw elements for tests of presort/external/.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "presort/external/external_run.h"

namespace presort::inline v0::external::test {

template <class T>
void write_elements(const std::string& path, const std::vector<T>& elements) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(elements.data()),
             static_cast<std::streamsize>(elements.size() * sizeof(T)));
}

template <class T>
std::vector<T> read_elements(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
  return elements;
}

// A problem on files, u32 + u32 without other types; its n follows from a file.
inline Problem problem_of(Operation operation, uint64_t m, Types types = {}) {
  Problem problem;
  problem.operation = operation;
  problem.m = m;
  problem.types = types;
  return problem;
}

}  // namespace presort::external::test
