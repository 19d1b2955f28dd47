// For tests: traces in memory, and reading them to their end.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/sim/trace/trace_formats.h"

namespace presort::inline v0::test {

// A byte source that gives `piece` bytes at a time, so that readers meet every boundary.
class PieceSource final : public sim::ByteSource {
 public:
  PieceSource(std::string contents, size_t piece) : contents_(std::move(contents)), piece_(piece) {}

  size_t read(std::span<char> into) override {
    const size_t count = std::min({into.size(), piece_, contents_.size() - at_});
    std::copy_n(contents_.data() + at_, count, into.data());
    at_ += count;
    return count;
  }

 private:
  std::string contents_;
  size_t piece_;
  size_t at_ = 0;
};

// The records that came out of a trace before its end or error.
struct ReadTrace {
  std::vector<sim::Access> records;
  std::string error;  // error message; empty: the trace was read to its end
  std::string format;
  std::string guessed_by;
};

inline ReadTrace read_all(sim::OpenedTrace trace) {
  ReadTrace result{{}, "", std::string(trace.format), trace.guessed_by};
  try {
    for (auto batch = trace.reader->next(); !batch.empty(); batch = trace.reader->next()) {
      result.records.insert(result.records.end(), batch.begin(), batch.end());
    }
  } catch (const InputError& error) {
    result.error = error.what();
  }
  return result;
}

inline ReadTrace read_text(const std::string& format, std::string text,
                           sim::TraceOptions options = {}, size_t piece = 1 << 16) {
  return read_all(sim::open_trace(
      sim::TraceInput("trace", std::make_unique<PieceSource>(std::move(text), piece)), format,
      options));
}

// A trace's bytes as a file would hold them, compressed or not.
inline ReadTrace read_bytes(const std::optional<std::string>& format, std::string bytes,
                            const std::string& name = "trace") {
  try {
    return read_all(
        sim::open_trace(sim::TraceInput(name, sim::bytes_of(name, std::move(bytes))), format, {}));
  } catch (const InputError& error) {
    return {{}, error.what(), "", ""};
  }
}

inline bool equal(const sim::Access& a, const sim::Access& b) {
  return a.address == b.address && a.kind == b.kind && a.size == b.size &&
         a.micro_ops == b.micro_ops && a.depends_on == b.depends_on &&
         a.data_depends_on == b.data_depends_on && a.instruction == b.instruction;
}

inline bool equal(const std::vector<sim::Access>& a, const std::vector<sim::Access>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const sim::Access& x, const sim::Access& y) { return equal(x, y); });
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace presort::test
