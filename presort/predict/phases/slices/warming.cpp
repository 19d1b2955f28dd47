#include "presort/predict/phases/slices/warming.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "presort/predict/phases/run_bytes.h"

namespace presort::inline v0::predict {
namespace {

// Records that warm the caches in one call
constexpr size_t kLinesAtATime = 1024;

}  // namespace

Warming::Warming(const Machine& machine, const SimulationOptions& options, const Problem& problem,
                 PageSize page_size, size_t threads, const ArrayPlaces& places, ElementBytes bytes)
    : PhaseArrays(machine, options, problem, page_size, threads, places, bytes) {
  for (const CacheLevel& level : machine_.caches) {
    held_above_ +=
        level.name == machine_.caches.back().name ? 0 : level.size_bytes / level.line_bytes;
  }
}

Warming::WarmUp Warming::written(uint64_t items) const {
  const uint64_t fill = last_level_bytes_ / (bytes_.label + bytes_.value);
  return {std::max(items, fill), items};
}

bool Warming::is_kept(const PhaseInput& input) const {
  return input.since_bytes != kFromMemory && !options_.record_only && options_.excerpt == nullptr;
}

// Number of inputs after which all but the last cache level have forgotten what came before, where an
// input touches `lines` lines: as many as touch twice the lines that the other levels hold and, if
// each takes a page walk, every line of page tables that maps buckets.
uint64_t Warming::remembered_inputs(double lines) const {
  constexpr uint64_t kEntriesOfLine = 8;
  // Random visits to each line of a page table; 2 % of the lines get none
  constexpr uint64_t kVisits = 4;
  const uint64_t bytes = own_.count() * bytes_.value;
  const uint64_t host = machine_.walk.nested_host_page_bytes.value_or(bytes + 1);
  const uint64_t table_lines = (bytes / page_bytes_ + bytes / host) / kEntriesOfLine;
  const auto inputs = static_cast<uint64_t>(2 * static_cast<double>(held_above_) / lines);
  return std::max({kRewarmItems, inputs, kVisits * table_lines});
}

// Lines of inputs and results that an input is the first to touch, in the mean.
double Warming::input_lines(const PhaseInput& input) const {
  std::vector<sim::Access> lines;
  for (uint64_t index = 0; index < line_bytes_; ++index) {
    add_input_lines(input, index, lines);
  }
  return static_cast<double>(std::max<size_t>(1, lines.size())) / static_cast<double>(line_bytes_);
}

double Warming::lines_in_order(const PhaseInput& input, uint64_t end) const {
  constexpr uint64_t kLabels = 1024;
  end = end < kLabels ? input.labels->size() : end;
  std::vector<uint64_t> labels(std::min(end, kLabels));
  input.labels->generate(end - labels.size(), labels);
  if (labels.size() < kLabels || !std::is_sorted(labels.begin(), labels.end())) {
    return 0;
  }
  uint64_t lines = 0;
  for (size_t i = 1; i < labels.size(); ++i) {
    lines += labels[i] * bytes_.value / line_bytes_ != labels[i - 1] * bytes_.value / line_bytes_;
  }
  return input_lines(input) + static_cast<double>(lines) / static_cast<double>(kLabels - 1);
}

void Warming::warm_past(Core core, const PhaseInput& input, uint64_t begin, int slice) {
  if (options_.record_only) {
    return;
  }
  const uint64_t bucket_lines = problem_.m * bytes_.value / line_bytes_ + 1;
  const double in_order = threads_ == 1 && slice == 0 ? lines_in_order(input, begin) : 0;
  const uint64_t fill =
      in_order > 0 ? static_cast<uint64_t>(3 * static_cast<double>(last_level_lines()) / in_order)
                   : std::min(3 * bucket_lines, 2 * last_level_lines());
  const uint64_t held = (last_level_bytes_ + last_level_bytes_ / 4) / (bytes_.label + bytes_.value);
  const uint64_t own_past = std::min(input.labels->reach(), held);
  const uint64_t past = std::max(own_past, slice == 0 ? fill + kRewarmItems : kRewarmItems);
  const bool all_held = in_order == 0 && bucket_lines <= last_level_lines();
  const uint64_t first = begin - std::min(begin, past);
  const double lines = in_order > 0 ? in_order : 1;
  const LastingLines drawn = slice == 0 && in_order == 0 && past <= begin
                                 ? lasting_lines(input, bucket_lines)
                                 : LastingLines{};
  if (drawn.buckets > 0) {
    const uint64_t recent = begin - std::min(begin, remembered_inputs(lines));
    draw_last_level(core, input, recent, bucket_lines, drawn);
    warm_inputs(core, input, recent, begin, Warms::all);
    return;
  }
  if (in_order > 0 && !options_.cold) {
    const uint64_t n = input.labels->size();
    warm_by_age(core, input, n - std::min(n, past - (begin - first)), n, lines);
  } else if (past > begin || (slice == 0 && all_held)) {
    const Warms before = begin - first > remembered_inputs(lines) ? Warms::lastLevel : Warms::all;
    if (slice == 0) {
      fill_with_others(core, input, first);
    }
    fill_last_level(core, input, first);
    warm_lines(core, own_.first * bytes_.value, own_.last * bytes_.value, before);
  } else if (slice == 0 && forgets_slowly(bucket_lines)) {
    const double streams = input_lines(input);
    const double share = share_of_streams(streams, bucket_lines);
    warm_lines(core, own_.first * bytes_.value, own_.last * bytes_.value, Warms::lastLevel);
    const double came = -static_cast<double>(last_level_lines()) * std::log1p(-share);
    fill_last_level(core, input, first, static_cast<uint64_t>(came));
  }
  warm_by_age(core, input, first, begin, lines);
}

// Fills the last cache level with the lines of inputs and results before input `end`, as earlier
// inputs left them there: only a full level evicts buckets. At most `most` lines come in. A level shared
// by several threads is left as it is.
// Measured: docs/results/sampling.md, "A last level that is full"
void Warming::fill_last_level(Core core, const PhaseInput& input, uint64_t end, uint64_t most) {
  if (threads_ > 1) {
    return;
  }
  const uint64_t wanted = std::min(most, lines_to_fill());
  const uint64_t step = elements_between_lines();
  const auto back = static_cast<uint64_t>(static_cast<double>(wanted) / input_lines(input));
  uint64_t at = end - std::min(end, back);
  at += (step - ((input.offset + at) & (step - 1))) & (step - 1);
  for (std::vector<sim::Access> lines; at < end; at += step) {
    add_input_lines(input, at, lines);
    if (lines.size() >= kLinesAtATime || at + step >= end) {
      warm(core, lines, Warms::lastLevel);
      lines.clear();
    }
  }
}

void Warming::warm_moved(Core core, const PhaseInput& input, uint64_t begin,
                         std::vector<size_t> positions, const cpu::Digit& digit,
                         const std::vector<PhaseArray>& outputs) {
  if (threads_ > 1 || options_.record_only || is_kept(input)) {
    return;
  }
  constexpr uint64_t kLabels = 1024;
  double lines = input_lines(input);
  for (const PhaseArray& output : outputs) {
    lines += static_cast<double>(output.element_bytes) / static_cast<double>(line_bytes_);
  }
  const double held = static_cast<double>(last_level_bytes_) / static_cast<double>(line_bytes_);
  const uint64_t first = begin - std::min(begin, static_cast<uint64_t>(2 * held / lines));
  std::vector<uint64_t> block;
  const auto for_each_block = [&](const auto& use) {
    for (uint64_t at = first; at < begin; at += block.size()) {
      block.resize(std::min(kLabels, begin - at));
      input.labels->generate(at, block);
      use(at);
    }
  };
  if (!outputs.empty()) {  // back to the positions before input `first`
    for_each_block([&](uint64_t) {
      for (const uint64_t label : block) {
        positions[digit(label)] -= std::min<size_t>(1, positions[digit(label)]);
      }
    });
  }
  std::vector<sim::Access> accesses;
  for_each_block([&](uint64_t at) {
    accesses.clear();
    for (size_t i = 0; i < block.size(); ++i) {
      add_input_lines(input, at + i, accesses);
      if (!outputs.empty()) {
        const uint64_t position = positions[digit(block[i])]++;
        for (const PhaseArray& output : outputs) {
          add_lines(output, position, position + 1, accesses);
        }
      }
    }
    warm(core, accesses, Warms::lastLevel);
  });
}

// Warms the last cache level with inputs [first, last), and the other levels with as many of them
// as they remember, where an input touches `lines` lines.
void Warming::warm_by_age(Core core, const PhaseInput& input, uint64_t first, uint64_t last,
                          double lines) {
  const uint64_t recent = last - std::min(last - first, remembered_inputs(lines));
  warm_inputs(core, input, first, recent, Warms::lastLevel);
  warm_inputs(core, input, recent, last, Warms::all);
}

void Warming::warm_pass_before(Core core, const PhaseInput& input, const cpu::Share& buckets) {
  if (options_.record_only) {
    return;
  }
  const uint64_t input_bytes = bytes_.label + bytes_.value;
  const uint64_t n = input.labels->size();
  const uint64_t held = (last_level_bytes_ + last_level_bytes_ / 4) / input_bytes;
  const cpu::Share own = std::exchange(own_, buckets);
  warm_by_age(core, input, n - std::min(n, held), n);
  own_ = own;
}

void Warming::warm_lines(Core core, uint64_t from, uint64_t to, Warms levels) {
  if (machine_.storage) {
    warm_pages(core, to - std::min(to - from, machine_.storage->page_cache_bytes), to);
  }
  const uint64_t first = to - std::min(to - from, last_level_bytes_ + last_level_bytes_ / 4);
  std::vector<sim::Access> block;
  for (uint64_t byte = first; byte < to; byte += line_bytes_) {
    block.push_back({buckets_ + byte, bucket_access(), 4, 0, 0, 0});
    if (block.size() == kLinesAtATime || byte + line_bytes_ >= to) {
      warm(core, block, levels);
      block.clear();
    }
  }
}

// Warms the pages of buckets that memory still holds after the buckets' initialisation.
void Warming::warm_pages(Core core, uint64_t from, uint64_t to) {
  for (uint64_t byte = from; byte < to; byte += machine_.storage->page_bytes) {
    const sim::Access load{.address = address_of(Region::buckets) + byte};
    core.warm(std::span(&load, 1));
  }
}

void Warming::warm_inputs(Core core, const PhaseInput& input, uint64_t first, uint64_t last,
                          Warms levels) {
  constexpr size_t kBlock = 1024;
  std::vector<uint64_t> block(kBlock);
  // Records for each bucket and result, and the records of input lines before them
  std::vector<sim::Access> accesses(2 * kBlock);
  std::vector<sim::Access> lines;
  const uint64_t mask = elements_between_lines() - 1;
  const auto value_bytes = static_cast<uint8_t>(bytes_.value);
  for (; first < last; first += block.size()) {
    block.resize(std::min<uint64_t>(block.size(), last - first));
    input.labels->generate(first, block);
    size_t count = 0;
    for (size_t i = 0; i < block.size(); ++i) {
      if (((input.offset + first + i) & mask) == 0) {
        lines.clear();
        add_input_lines(input, first + i, lines);
        accesses.resize(std::max(accesses.size(), count + lines.size() + 2 * block.size()));
        std::copy(lines.begin(), lines.end(), accesses.begin() + count);
        count += lines.size();
      }
      if (block[i] - own_.first < own_.count()) {
        accesses[count++] = {
            buckets_ + block[i] * bytes_.value, bucket_access(), value_bytes, 0, 0, 0};
        if (writes_own_results()) {
          accesses[count++] = result_access(input, first + i);
        }
      }
    }
    warm(core, std::span(accesses).first(count), levels);
  }
}

void Warming::warm_positions(Core core, const std::vector<size_t>& positions, Layout layout,
                             Region to, Region to_values) {
  if (options_.record_only) {
    return;
  }
  constexpr auto kStore = sim::AccessKind::store;
  if (!has_values(problem_.operation)) {
    warm_places(core, positions, to, bytes_.label, kStore);
  } else if (layout == Layout::pairs) {
    warm_places(core, positions, to, bytes_.pair, kStore);
  } else {
    warm_places(core, positions, to, bytes_.label, kStore);
    warm_places(core, positions, to_values, bytes_.value, kStore);
  }
}

void Warming::warm_places(Core core, const std::vector<size_t>& positions, Region region,
                          uint64_t element_bytes, sim::AccessKind kind) {
  std::vector<sim::Access> accesses;
  for (const size_t position : positions) {
    const uint64_t last = position == 0 ? 0 : position - 1;
    accesses.push_back({address_of(region) + (moved_ + last) * element_bytes, kind,
                        static_cast<uint8_t>(element_bytes), 0, 0, 0});
  }
  core.warm(accesses);
}

void Warming::warm_streams(Core core, uint64_t begin, double bytes_per_item,
                           const AddAccesses& add) {
  // Number of items whose lines are accessed array by array
  constexpr uint64_t kItemsOfBlock = 4096;
  const double held = 1.25 * static_cast<double>(last_level_bytes_) / bytes_per_item /
                      static_cast<double>(threads_);
  std::vector<sim::Access> accesses;
  for (uint64_t at = begin - std::min(begin, static_cast<uint64_t>(held)); at < begin;
       at += kItemsOfBlock) {
    accesses.clear();
    add(at, std::min(begin, at + kItemsOfBlock), accesses);
    core.warm(accesses);
  }
}

}  // namespace presort::predict
