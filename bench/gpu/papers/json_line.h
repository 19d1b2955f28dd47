// A line of JSON on standard output, for benchmarks: an object whose members are added in turn.
//   JsonLine("Larsen and Henriksen 2017").add("n", n).add("ours us", 3.25);
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace presort::inline v0::gpu::bench {

class JsonLine {
 public:
  explicit JsonLine(const char* paper) { std::printf("{\"paper\": \"%s\"", paper); }
  ~JsonLine() {
    std::printf("}\n");
    std::fflush(stdout);
  }
  JsonLine(const JsonLine&) = delete;
  JsonLine& operator=(const JsonLine&) = delete;

  JsonLine& add(const char* name, const std::string& text) {
    std::printf(", \"%s\": \"%s\"", name, text.c_str());
    return *this;
  }
  JsonLine& add(const char* name, uint64_t whole) {
    std::printf(", \"%s\": %llu", name, static_cast<unsigned long long>(whole));
    return *this;
  }
  JsonLine& add(const char* name, double number) {
    std::printf(", \"%s\": %.5g", name, number);
    return *this;
  }
};

}  // namespace presort::gpu::bench
