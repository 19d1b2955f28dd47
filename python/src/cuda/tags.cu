#include <span>

#include "presort/gpu/calls.cuh"
#include "python/src/cuda/scan.cuh"

namespace presort::python {
namespace {

template <class Label, class Count>
void tag_as(const Labels& labels, void* counts, void* results) {
  gpu::multitag(std::span(static_cast<const Label*>(labels.data), labels.n),
                std::span(static_cast<Count*>(counts), labels.m),
                std::span(static_cast<Count*>(results), labels.n),
                {.stream = labels.stream, .checks_labels = labels.checked});
}

template <class Count>
void tag_by(const Labels& labels, void* counts, void* results) {
  return labels.bytes == 4 ? tag_as<uint32_t, Count>(labels, counts, results)
                           : tag_as<uint64_t, Count>(labels, counts, results);
}

}  // namespace

void tag(const Labels& labels, int count_bytes, void* counts, void* results) {
  return count_bytes == 4 ? tag_by<uint32_t>(labels, counts, results)
                          : tag_by<uint64_t>(labels, counts, results);
}

}  // namespace presort::python
