#include "python/src/cuda/moves.cuh"

#include <span>

#include "presort/gpu/calls.cuh"

namespace presort::python {
namespace {

// Runs run(labels, a value of the word's type) for labels and words of the given sizes.
template <class Run>
void with_types(const Labels& labels, int word_bytes, const Run& run) {
  const auto with_word = [&]<class Label>(std::span<const Label> all) {
    return word_bytes == 4 ? run(all, uint32_t{}) : run(all, uint64_t{});
  };
  return labels.bytes == 4
             ? with_word(std::span(static_cast<const uint32_t*>(labels.data), labels.n))
             : with_word(std::span(static_cast<const uint64_t*>(labels.data), labels.n));
}

gpu::Call call_of(const Labels& labels) {
  return {.stream = labels.stream, .checks_labels = labels.checked};
}

}  // namespace

void count(const Labels& labels, int count_bytes, void* counts) {
  with_types(labels, count_bytes, [&]<class Label, class Count>(std::span<const Label> all, Count) {
    gpu::histogram(all, std::span(static_cast<Count*>(counts), labels.m), call_of(labels));
  });
}

void scatter(const Labels& labels, int element_bytes, const void* values, void* buckets) {
  with_types(labels, element_bytes, [&]<class Label, class Word>(std::span<const Label> all, Word) {
    gpu::scatter(all, std::span(static_cast<const Word*>(values), labels.n),
                 std::span(static_cast<Word*>(buckets), labels.m), call_of(labels));
  });
}

void take(const Labels& labels, int element_bytes, const void* table, void* results) {
  with_types(labels, element_bytes, [&]<class Label, class Word>(std::span<const Label> all, Word) {
    gpu::gather(all, std::span(static_cast<const Word*>(table), labels.m),
                std::span(static_cast<Word*>(results), labels.n), call_of(labels));
  });
}

}  // namespace presort::python
