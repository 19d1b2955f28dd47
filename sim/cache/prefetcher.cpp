#include "sim/cache/prefetcher.h"

#include "core/error.h"
#include "sim/cache/next_line.h"
#include "sim/cache/stream_prefetcher.h"

namespace presort::sim {

std::unique_ptr<LinePrefetcher> make_prefetcher(const Prefetcher& description,
                                                uint64_t line_bytes) {
  const uint64_t lines_per_page = 4096 / line_bytes;
  switch (description.kind) {
    case PrefetcherKind::nextLine:
      return std::make_unique<NextLinePrefetcher>(lines_per_page);
    case PrefetcherKind::stream:
      return std::make_unique<StreamPrefetcher>(lines_per_page, description.degree,
                                                description.distance);
  }
  throw Error("a prefetcher kind without an implementation");
}

}  // namespace presort::sim
