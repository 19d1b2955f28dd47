#include "presort/sim/cache/prefetchers/prefetcher.h"

#include <bit>

#include "presort/core/error.h"
#include "presort/sim/cache/prefetchers/adjacent_line.h"
#include "presort/sim/cache/prefetchers/ip_stride.h"
#include "presort/sim/cache/prefetchers/next_line.h"
#include "presort/sim/cache/prefetchers/stream_prefetcher.h"

namespace presort::inline v0::sim {

std::unique_ptr<LinePrefetcher> make_prefetcher(const Prefetcher& description, uint64_t line_bytes,
                                                const PageOrder& pages) {
  const uint64_t lines_per_page = 4096 / line_bytes;
  const PageLimit limit(lines_per_page, description.cross_page);
  const int degree = description.degree;
  const int distance = description.distance;
  switch (description.kind) {
    case PrefetcherKind::nextLine:
      return std::make_unique<NextLinePrefetcher>(limit, degree, distance);
    case PrefetcherKind::adjacentLine:
      return std::make_unique<AdjacentLinePrefetcher>();
    case PrefetcherKind::ipStride:
      return std::make_unique<IpStridePrefetcher>(limit, std::countr_zero(line_bytes), degree,
                                                  distance);
    case PrefetcherKind::stream:
      return std::make_unique<StreamPrefetcher>(
          lines_per_page, limit, degree, distance,
          StreamPrefetcher::Crossing{description.crosses_after, &pages});
  }
  throw Error("a prefetcher kind without an implementation");
}

}  // namespace presort::sim
