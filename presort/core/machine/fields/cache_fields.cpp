#include "presort/core/fields/rows.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::fields {
namespace {

// Sets the default of how a cache level is filled: an exclusive level on eviction, others on a
// miss. (A file that says otherwise for an exclusive level is refused.)
void fill_by_inclusion(CacheLevel& level) {
  level.fill = level.inclusion == Inclusion::exclusive ? Fill::onEvict : Fill::onMiss;
}

double moved_bytes(const CacheLevel& level) {
  return static_cast<double>(unit_bytes(level));
}

constexpr Field kCacheLevelRows[] = {
    name<&CacheLevel::name>("name", required, "name of the level, such as L2"),
    number<&CacheLevel::size_bytes>("size", size(64, kTiB), required, "capacity",
                                    {.reason = "a simulation holds its tags"}),
    number<&CacheLevel::ways>("ways", whole(1, 4096), required, "lines of a set",
                              {.reason = "a lookup goes over all of them"}),
    number<&CacheLevel::line_bytes>(
        "line", size(16, 4 * kKiB), required, "line size",
        {.reason = "one access has up to 16 bytes; a page holds a line"}),
    number<&CacheLevel::sector_bytes>("sector", {RangeUnit::bytes, 16, 4 * kKiB, "the line"},
                                      optional, "what is fetched and written at a time",
                                      {.resolved = of_object<&moved_bytes>}),
    parsed<&CacheLevel::policy, &parse_replacement>(
        "policy", stated, "which line a full set gives up", replacement_names),
    number<&CacheLevel::latency_cycles>("latency", cycles(0.1, 1e6), required,
                                        "total load-to-use latency of a hit here"),
    number<&CacheLevel::queue>("queue", whole(1, 4096), inherited,
                               "misses of this level that may be outstanding",
                               {.default_text = "that of the level above"}),
    number<&CacheLevel::bandwidth>(
        "bandwidth", {RangeUnit::bytesPerSecond, 1e6, 1e15, "no limit"}, optional,
        "bytes a second, for each core, of lines that the level hands to the one above"),
    number<&CacheLevel::write_bandwidth>(
        "writeBandwidth", {RangeUnit::bytesPerSecond, 1e6, 1e15, "as bandwidth"}, optional,
        "bytes a second, for each core, of lines that the level above writes back; takes turns "
        "with "
        "bandwidth"),
    number<&CacheLevel::shared_by>("sharedBy", whole(1, 4096), stated,
                                   "cores that share an instance of the level"),
    number<&CacheLevel::share>(
        "share", ratio(1e-6, 1), stated,
        "part of the capacity that neighbours leave (programs and guests beside this one)"),
    flag<&CacheLevel::hashed>("hashed", stated, "sets are chosen by a hash of the line's address"),
    number<&CacheLevel::slices>(
        "slices", whole(1, 4096), optional,
        "slices of the level, a power of two: consecutive lines take turns among them; hashed: the "
        "hash chooses the set within a slice"),
    choice<&CacheLevel::fill, kFills>(
        "fill", stated,
        "when a line enters: fetched through the level, or dropped by the one above (victim cache)",
        {.default_text = "onEvict of an exclusive level, otherwise onMiss",
         .set_default = on_object<&fill_by_inclusion>}),
    choice<&CacheLevel::inclusion, kInclusions>(
        "inclusion", stated,
        "inclusive: holds all that the levels above hold; exclusive: holds nothing of the level "
        "above"),
    choice<&CacheLevel::write, kWriteModes>(
        "write", stated, "a written line goes on when it is dropped (back) or at once (through)"),
    flag<&CacheLevel::write_allocate>(
        "writeAllocate", stated,
        "a store or write-back that misses is brought in; otherwise it goes on to the level below"),
};

constexpr Field kPrefetcherRows[] = {
    name<&Prefetcher::level>("level", required,
                             "name of the cache level that it watches and fills"),
    choice<&Prefetcher::kind, kPrefetcherKinds>(
        "kind", required,
        "nextLine: the lines after one that missed, when those before it were touched lately; "
        "adjacentLine: the other line of an aligned pair; ipStride: a constant stride of one "
        "instruction; stream: ascending or descending lines of a page"),
    number<&Prefetcher::degree>("degree", whole(1, 64), stated, "lines fetched at a time"),
    number<&Prefetcher::distance>("distance", whole(1, 4096), stated,
                                  "lines (ipStride: strides) that it may run ahead"),
    flag<&Prefetcher::cross_page>(
        "crossPage", stated, "may leave the 4 KiB page of the access, to the next physical one"),
    number<&Prefetcher::yields_at>(
        "yieldsAt", whole(0, 4096), stated,
        "demand misses outstanding, streams left out, at which it fetches into the level below, a "
        "stream one line ahead, in the first level nothing; 0: when the queue is full"),
    number<&Prefetcher::crosses_after>("crossesAfter", whole(0, 4096), stated,
                                       "stream: pages of 4 KiB in a row, in virtual memory, that "
                                       "it goes through before it goes on "
                                       "into the next page; 0: never"),
};

}  // namespace

constexpr FieldTable kCacheLevel = {"A cache level, nearest first.", kCacheLevelRows,
                                    initial_value<CacheLevel>};
constexpr FieldTable kPrefetcher = {"A hardware prefetcher.", kPrefetcherRows,
                                    initial_value<Prefetcher>};

}  // namespace presort::fields
