#include "presort/predict/closed_form/excerpt_times.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "presort/predict/closed_form/phase_footprints.h"

namespace presort::inline v0::predict {

namespace {

// Largest difference, in cycles, between the mean times of a memory access in two spans of inputs
// that count as one stretch. The limit is larger for a span of few inputs, in inverse proportion.
constexpr double kAlikeCycles = 1;

// Excerpts are taken from twice as many places of the inputs each time, until the relative standard
// deviation of their mean time is below this. One place is not enough, as two may agree by chance.
constexpr double kKnownTo = 0.02;
constexpr size_t kFewest = 4;
constexpr size_t kFewestEven = 2;

// Lengths of an excerpt's pieces, by kind:
//   kStreamed  hardware fetches the streams; it takes 256 inputs to run ahead again after the start
//              of a page
//   kFetched   software fetches the streams
//   kEven      a pass, whose inputs are alike except those that fill a buffer up; every excerpt has
//              the right share of these (DigitState)
//   kBlocks    whole blocks, as a part of a block would count the overhead of a whole one
ExcerptLengths least_lengths(const ExcerptKind& kind) {
  constexpr ExcerptLengths kStreamed = {128, 256, 256};
  constexpr ExcerptLengths kFetched = {64, 384, 256};
  constexpr ExcerptLengths kEven = {64, 256, 128};
  constexpr ExcerptLengths kBlocks = {256, 256, 256};
  return kind.blocks ? kBlocks : kind.even ? kEven : kind.ahead > 0 ? kFetched : kStreamed;
}

// Pages that the machine's prefetchers run ahead in streams that go on from page to page, at most to
// the end of the next one; 0: they stop at page ends.
double pages_ahead(const Machine& machine) {
  int lines = 0;
  for (const Prefetcher& prefetcher : machine.prefetchers) {
    lines = std::max(lines, prefetcher.crosses_after > 0 ? prefetcher.distance : 0);
  }
  const auto line_bytes = static_cast<double>(machine.caches.front().line_bytes);
  return std::min(2.0, lines * line_bytes / kPrefetchedPageBytes);
}

// Number of inputs timed for the last stretch of several, before streams enter a page. Few inputs
// are enough, as earlier stretches have already accessed the lines.
constexpr uint64_t kLastOfSeveral = 256;

// Number of inputs timed for a stretch other than the last one, by the stretch's share of the time:
// a small share needs few.
uint64_t items_for(double weight) {
  return weight > 0.1 ? 128 : weight > 0.03 ? 64 : 32;
}

std::vector<uint64_t> pieces_for(const ExcerptLengths& lengths,
                                 const std::vector<PhaseClock::Stretch>& stretches) {
  std::vector<uint64_t> items = {lengths.lead};
  for (size_t i = 0; i + 1 < stretches.size(); ++i) {
    items.push_back(items_for(stretches[i].weight));
  }
  items.push_back(stretches.size() > 1 ? kLastOfSeveral : lengths.last);
  items.push_back(lengths.entering);
  return items;
}

}  // namespace

void add(PhaseEstimate& sum, const PhaseEstimate& part, double weight) {
  if (sum.stack_ns.empty()) {
    sum.stack_ns = part.stack_ns;
    for (auto& [term, ns] : sum.stack_ns) {
      ns = 0;
    }
  }
  sum.ns_per_item += weight * part.ns_per_item;
  for (size_t i = 0; i < part.stack_ns.size(); ++i) {
    sum.stack_ns[i].second += weight * part.stack_ns[i].second;
  }
  add_counts(sum.levels, part.levels);
  sum.walks += part.walks;
  sum.items += part.items;
  sum.accesses += part.accesses;
}

ExcerptTimes::ExcerptTimes(const Machine& machine, uint64_t page_bytes, Excerpt& excerpt,
                           int places)
    : clock_(machine, page_bytes),
      miss_cycles_(miss_cycles(machine)),
      pages_ahead_(pages_ahead(machine)),
      excerpt_(excerpt),
      places_(places) {}

// A stream that goes on from page to page has as many lines under way as its prefetcher runs ahead.
// It takes that many lines to get there, and until then each of them waits for memory, so they are
// not timed.
ExcerptLengths ExcerptTimes::lengths_of(const ExcerptKind& kind) const {
  constexpr uint64_t kBlock = 256;
  ExcerptLengths lengths = least_lengths(kind);
  if (kind.long_streams) {
    const auto blocks =
        static_cast<uint64_t>(std::ceil(pages_ahead_ * kind.page_items / double{kBlock}));
    lengths.lead = std::max(lengths.lead, blocks * kBlock);
  }
  return lengths;
}

ExcerptTimes::MissCycles ExcerptTimes::miss_cycles(const Machine& machine) {
  MissCycles cycles;
  const double memory = machine.memory.latency_ns * 1e-9 * machine.clock_hz;
  const std::vector<CacheLevel>& levels = machine.caches;
  for (size_t i = 0; i < std::min(levels.size(), cycles.lines.size()); ++i) {
    const double next = i + 1 < levels.size() ? levels[i + 1].latency_cycles : memory;
    cycles.lines[i] = std::max(0.0, next - levels[i].latency_cycles);
  }
  // A page that the last TLB level lacks takes a page walk: reads of page tables, most of which are
  // in near caches.
  cycles.pages.fill(machine.walk.overhead_cycles + 2 * levels.front().latency_cycles);
  return cycles;
}

bool ExcerptTimes::alike(const Setting::Places& a, const Setting::Places& b,
                         double tolerance) const {
  const auto near = [](const auto& x, const auto& y, const auto& cycles, double most) {
    double difference = 0;
    for (size_t i = 0; i < x.within.size(); ++i) {
      difference += std::abs(x.within[i] - y.within[i]) * cycles[i];
    }
    return difference <= most;
  };
  for (size_t i = 0; i < kPlaces; ++i) {
    // Only page walks access lines of page tables.
    const double touches = i < kGuestTables ? 1 : std::max(a.walks, b.walks);
    if (!near(a.lines[i], b.lines[i], miss_cycles_.lines, tolerance / std::max(touches, 1e-9)) ||
        !near(a.pages[i], b.pages[i], miss_cycles_.pages, tolerance)) {
      return false;
    }
  }
  return true;
}

// Merges spans of inputs into stretches: a span joins the stretch behind it if memory accesses take
// nearly the same time in both.
std::vector<PhaseClock::Stretch> ExcerptTimes::stretches_of(const ExcerptKind& kind,
                                                            const Setting& setting,
                                                            const std::vector<Span>& spans) const {
  std::vector<PhaseClock::Stretch> stretches;
  std::vector<double> horizons;
  for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
    PhaseClock::Stretch stretch{setting.at(span->horizon, lengths_of(kind).half()), span->part};
    if (!stretches.empty() && alike(stretches.back().places, stretch.places,
                                    kAlikeCycles / kind.per_input / span->part)) {
      stretches.back().weight += span->part;
    } else {
      stretches.push_back(std::move(stretch));
      horizons.push_back(span->horizon);
    }
  }
  std::reverse(stretches.begin(), stretches.end());
  std::reverse(horizons.begin(), horizons.end());
  if (stretches.size() > 1) {
    place_after_each_other(kind, setting, horizons, stretches);
  }
  return stretches;
}

// For each stretch, computes where lines and pages are found after the excerpt's earlier inputs.
void ExcerptTimes::place_after_each_other(const ExcerptKind& kind, const Setting& setting,
                                          const std::vector<double>& horizons,
                                          std::vector<PhaseClock::Stretch>& stretches) const {
  const std::vector<uint64_t> items = pieces_for(lengths_of(kind), stretches);
  auto before = static_cast<double>(items[0]);
  for (size_t i = 0; i < stretches.size(); ++i) {
    const uint64_t entering = i + 1 == stretches.size() ? items.back() : 0;
    const auto own = static_cast<double>(items[i + 1] + entering);
    stretches[i].places = setting.at(horizons[i], before + own / 2);
    before += own;
  }
}

// Number of the i-th excerpt's place, below places_. Each new place halves a gap between earlier
// places.
uint64_t ExcerptTimes::place_number(uint64_t i) const {
  uint64_t number = 0;
  for (uint64_t half = static_cast<uint64_t>(places_) / 2; half > 0; half /= 2, i /= 2) {
    number += i % 2 * half;
  }
  return number;
}

bool ExcerptTimes::is_certain(const std::vector<PhaseEstimate>& estimates, size_t fewest) {
  const size_t count = estimates.size();
  if (count < fewest || !std::has_single_bit(count)) {
    return false;
  }
  double sum = 0;
  double squares = 0;
  for (const PhaseEstimate& estimate : estimates) {
    sum += estimate.ns_per_item;
    squares += estimate.ns_per_item * estimate.ns_per_item;
  }
  const auto n = static_cast<double>(count);
  // Variance of the mean time of an excerpt
  const double variance = (squares - sum * sum / n) / (n - 1) / n;
  return variance <= kKnownTo * kKnownTo * sum * sum / (n * n);
}

PhaseEstimate ExcerptTimes::time(const ExcerptKind& kind, const Setting& setting,
                                 const std::vector<Span>& spans, const Record& record) {
  const std::vector<PhaseClock::Stretch> stretches = stretches_of(kind, setting, spans);
  const std::vector<uint64_t> items = pieces_for(lengths_of(kind), stretches);
  std::vector<PhaseEstimate> estimates;
  const size_t fewest = kind.even ? kFewestEven : kFewest;
  while (estimates.size() < static_cast<size_t>(places_) && !is_certain(estimates, fewest)) {
    const double place =
        (static_cast<double>(place_number(estimates.size())) + 0.5) / static_cast<double>(places_);
    excerpt_.restart(kind.ahead, items, place);
    record(place);
    estimates.push_back(
        clock_.time(excerpt_, stretches, setting.streams(), kind.page_items, estimates.size()));
  }
  PhaseEstimate mean;
  for (const PhaseEstimate& estimate : estimates) {
    add(mean, estimate, 1 / static_cast<double>(estimates.size()));
  }
  return mean;
}

}  // namespace presort::predict
