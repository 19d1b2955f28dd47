// The members of CorePhases (predict/phases/core_phases.h) that bring caches and TLBs
// into the state in which earlier inputs left them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "presort/predict/phases/core_phases.h"

namespace presort::inline v0::predict {

// Number of inputs after which all but the last cache level have forgotten what came before, where an
// input touches `lines` lines: as many as touch twice the lines that the other levels hold and, if
// each takes a page walk, every line of page tables that maps buckets.
template <class Label, class Value>
uint64_t CorePhases<Label, Value>::remembered_inputs(double lines) const {
  constexpr uint64_t kEntriesOfLine = 8;
  // Random visits to each line of a page table; 2 % of the lines get none
  constexpr uint64_t kVisits = 4;
  const uint64_t bytes = own_.count() * sizeof(Value);
  const uint64_t host = machine_.walk.nested_host_page_bytes.value_or(bytes + 1);
  const uint64_t table_lines = (bytes / page_bytes_ + bytes / host) / kEntriesOfLine;
  const auto inputs = static_cast<uint64_t>(2 * static_cast<double>(held_above_) / lines);
  return std::max({kRewarmItems, inputs, kVisits * table_lines});
}

// Lines of inputs and results that an input is the first to touch, in the mean.
template <class Label, class Value>
double CorePhases<Label, Value>::input_lines(const PhaseInput& input) const {
  std::vector<sim::Access> lines;
  for (uint64_t index = 0; index < line_bytes_; ++index) {
    add_input_lines(input, index, lines);
  }
  return static_cast<double>(std::max<size_t>(1, lines.size())) / static_cast<double>(line_bytes_);
}

// Lines that an input is the first to touch in the mean, its bucket's included, if the labels before
// input `end` are in order; 0 if they are not. Before the first inputs come the last ones of the run
// before.
template <class Label, class Value>
double CorePhases<Label, Value>::lines_in_order(const PhaseInput& input, uint64_t end) const {
  constexpr uint64_t kLabels = 1024;
  end = end < kLabels ? input.labels->size() : end;
  std::vector<uint64_t> labels(std::min(end, kLabels));
  input.labels->generate(end - labels.size(), labels);
  if (labels.size() < kLabels || !std::is_sorted(labels.begin(), labels.end())) {
    return 0;
  }
  uint64_t lines = 0;
  for (size_t i = 1; i < labels.size(); ++i) {
    lines += labels[i] * sizeof(Value) / line_bytes_ != labels[i - 1] * sizeof(Value) / line_bytes_;
  }
  return input_lines(input) + static_cast<double>(lines) / static_cast<double>(kLabels - 1);
}

// True if a last level with random replacement holds a large part of the buckets' lines. Few lines come
// in then, so that it would take several times the inputs that fill it to reach its lasting state.
template <class Label, class Value>
bool CorePhases<Label, Value>::forgets_slowly(uint64_t bucket_lines) const {
  constexpr uint64_t kLarge = 2;
  return threads_ == 1 && machine_.caches.back().policy.kind == ReplacementKind::random &&
         bucket_lines <= kLarge * (last_level_bytes_ / line_bytes_);
}

// The share of a last level with random replacement that lines of inputs and results hold in the end,
// where an input brings `streams` of them and uses one of the buckets' lines, each as often as another.
// All lines that come in leave at the same rate, so that shares are as the lines that come in:
// streams : misses of buckets. Found by bisection.
template <class Label, class Value>
double CorePhases<Label, Value>::share_of_streams(double streams, uint64_t bucket_lines) const {
  const uint64_t last_level_lines = last_level_bytes_ / line_bytes_;
  const auto held = static_cast<double>(last_level_lines);
  double low = 0;
  double high = 1;
  for (int step = 0; step < 40; ++step) {
    const double share = (low + high) / 2;
    const double found =
        (held * (1 - share) + static_cast<double>(held_above_)) / static_cast<double>(bucket_lines);
    const double misses = std::max(0.0, 1 - found);
    (streams / (streams + misses) > share ? low : high) = share;
  }
  return low;
}

// Warms the buckets as the inputs before `begin` left them. If these inputs are few, or if the last
// cache level holds all buckets, the buckets are first warmed as after their initialisation,
// because skewed inputs do not touch rare buckets in the warm-up. Labels in order come to each bucket
// once, and to few lines: the first slice is warmed by as many of them as fill the last level three
// times, if need be by the last ones of the run before, and finds no bucket that is yet to come.
// Labels that depend on earlier labels (LabelSource::reach) have other buckets in the caches at each
// place, so each slice is warmed by the inputs before it: as far back as labels reach, or as the last
// level holds inputs. Inputs that only the last level remembers warm it alone.
template <class Label, class Value>
void CorePhases<Label, Value>::warm_past(Core core, const PhaseInput& input, uint64_t begin,
                                         int slice) {
  if (options_.record_only) {
    return;
  }
  const uint64_t last_level_lines = last_level_bytes_ / line_bytes_;
  const uint64_t bucket_lines = problem_.m * sizeof(Value) / line_bytes_ + 1;
  const double in_order = threads_ == 1 && slice == 0 ? lines_in_order(input, begin) : 0;
  const uint64_t fill =
      in_order > 0 ? static_cast<uint64_t>(3 * static_cast<double>(last_level_lines) / in_order)
                   : std::min(3 * bucket_lines, 2 * last_level_lines);
  const uint64_t held =
      (last_level_bytes_ + last_level_bytes_ / 4) / (sizeof(Label) + sizeof(Value));
  const uint64_t own_past = std::min(input.labels->reach(), held);
  const uint64_t past = std::max(own_past, slice == 0 ? fill + kRewarmItems : kRewarmItems);
  const bool all_held = in_order == 0 && bucket_lines <= last_level_lines;
  const uint64_t first = begin - std::min(begin, past);
  const double lines = in_order > 0 ? in_order : 1;
  if (in_order > 0 && !options_.cold) {
    const uint64_t n = input.labels->size();
    warm_by_age(core, input, n - std::min(n, past - (begin - first)), n, lines);
  } else if (past > begin || (slice == 0 && all_held)) {
    const Warms before = begin - first > remembered_inputs(lines) ? Warms::lastLevel : Warms::all;
    fill_last_level(core, input, first);
    warm_lines(core, own_.first * sizeof(Value), own_.last * sizeof(Value), before);
  } else if (slice == 0 && forgets_slowly(bucket_lines)) {
    const double streams = input_lines(input);
    const double share = share_of_streams(streams, bucket_lines);
    warm_lines(core, own_.first * sizeof(Value), own_.last * sizeof(Value), Warms::lastLevel);
    const double came = -static_cast<double>(last_level_lines) * std::log1p(-share);
    fill_last_level(core, input, first, static_cast<uint64_t>(came));
  }
  warm_by_age(core, input, first, begin, lines);
}

// Fills the last cache level with the lines of inputs and results before input `end`, as earlier
// inputs left them there: only a full level evicts buckets. At most `most` lines come in. A level shared
// by several threads is left as it is.
// Measured: docs/results/sampling.md, "A last level that is full"
template <class Label, class Value>
void CorePhases<Label, Value>::fill_last_level(Core core, const PhaseInput& input, uint64_t end,
                                               uint64_t most) {
  if (threads_ > 1) {
    return;
  }
  // Sets take lines unevenly: a quarter more of them leaves few places empty
  const uint64_t wanted = std::min(most, (last_level_bytes_ + last_level_bytes_ / 4) / line_bytes_);
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

// Fills the last cache level as a pass left it that moves inputs to the outputs of their digits: with
// the lines of the inputs before `begin`, and with the lines of `outputs` that they were written to
// through the caches, up to `positions`. A level shared by several threads, and arrays that are in the
// caches already, stay as they are.
// Requires: positions[d] is where the next input of digit d goes
template <class Label, class Value>
void CorePhases<Label, Value>::warm_moved(Core core, const PhaseInput& input, uint64_t begin,
                                          std::vector<size_t> positions, const cpu::Digit& digit,
                                          const std::vector<Stream>& outputs) {
  if (threads_ > 1 || options_.record_only || is_kept(input)) {
    return;
  }
  constexpr uint64_t kLabels = 1024;
  double lines = input_lines(input);
  for (const Stream& output : outputs) {
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
        for (const Stream& output : outputs) {
          add_lines(output, position, position + 1, accesses);
        }
      }
    }
    warm(core, accesses, Warms::lastLevel);
  });
}

// Warms the last cache level with inputs [first, last), and the other levels with as many of them
// as they remember, where an input touches `lines` lines.
template <class Label, class Value>
void CorePhases<Label, Value>::warm_by_age(Core core, const PhaseInput& input, uint64_t first,
                                           uint64_t last, double lines) {
  const uint64_t recent = last - std::min(last - first, remembered_inputs(lines));
  warm_inputs(core, input, first, recent, Warms::lastLevel);
  warm_inputs(core, input, recent, last, Warms::all);
}

// Warms the last inputs of the range pass that updated `buckets`, as many as the last cache level
// holds.
template <class Label, class Value>
void CorePhases<Label, Value>::warm_pass_before(Core core, const PhaseInput& input,
                                                const cpu::Share& buckets) {
  if (options_.record_only) {
    return;
  }
  constexpr uint64_t kInputBytes = sizeof(Label) + sizeof(Value);
  const uint64_t n = input.labels->size();
  const uint64_t held = (last_level_bytes_ + last_level_bytes_ / 4) / kInputBytes;
  const cpu::Share own = std::exchange(own_, buckets);
  warm_by_age(core, input, n - std::min(n, held), n);
  own_ = own;
}

// Writes the bucket lines at bytes [from, to) of the buckets once; only the last lines if there are
// more than the last cache level holds.
template <class Label, class Value>
void CorePhases<Label, Value>::warm_lines(Core core, uint64_t from, uint64_t to, Warms what) {
  if (machine_.storage) {
    warm_pages(core, to - std::min(to - from, machine_.storage->page_cache_bytes), to);
  }
  const uint64_t first = to - std::min(to - from, last_level_bytes_ + last_level_bytes_ / 4);
  std::vector<sim::Access> block;
  for (uint64_t byte = first; byte < to; byte += line_bytes_) {
    block.push_back({buckets_ + byte, bucket_access(), 4, 0, 0, 0});
    if (block.size() == kLinesAtATime || byte + line_bytes_ >= to) {
      warm(core, block, what);
      block.clear();
    }
  }
}

// Warms the pages of buckets that memory still holds after the buckets' initialisation.
template <class Label, class Value>
void CorePhases<Label, Value>::warm_pages(Core core, uint64_t from, uint64_t to) {
  for (uint64_t byte = from; byte < to; byte += machine_.storage->page_bytes) {
    const sim::Access load{.address = address_of(Region::buckets) + byte};
    core.warm(std::span(&load, 1));
  }
}

// Reads inputs [first, last) cache line by cache line, and writes their buckets if the thread owns
// them.
template <class Label, class Value>
void CorePhases<Label, Value>::warm_inputs(Core core, const PhaseInput& input, uint64_t first,
                                           uint64_t last, Warms what) {
  constexpr size_t kBlock = 1024;
  std::vector<uint64_t> block(kBlock);
  // Records for each bucket and result, and the records of input lines before them
  std::vector<sim::Access> accesses(2 * kBlock);
  std::vector<sim::Access> lines;
  const uint64_t mask = elements_between_lines() - 1;
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
            buckets_ + block[i] * sizeof(Value), bucket_access(), sizeof(Value), 0, 0, 0};
        if (writes_own_results()) {
          accesses[count++] = result_access(input, first + i);
        }
      }
    }
    warm(core, std::span(accesses).first(count), what);
  }
}

// Elements of inputs or results from one that begins a line of some array to the next one that may;
// a power of two.
template <class Label, class Value>
uint64_t CorePhases<Label, Value>::elements_between_lines() const {
  constexpr uint64_t kLargest = sizeof(cpu::Pair<Label, Value>);
  constexpr bool kWholeInLines = std::has_single_bit(kLargest) &&
                                 std::has_single_bit(sizeof(Label)) &&
                                 std::has_single_bit(sizeof(Value));
  return kWholeInLines && kLargest <= line_bytes_ ? line_bytes_ / kLargest : 1;
}

// Appends accesses to the lines of element `index` of inputs, and of results that the thread writes
// wherever they are, that no earlier element touches.
template <class Label, class Value>
void CorePhases<Label, Value>::add_input_lines(const PhaseInput& input, uint64_t index,
                                               std::vector<sim::Access>& accesses) const {
  const auto touch = [&](Region region, uint64_t element_bytes, sim::AccessKind kind) {
    const uint64_t byte = (input.offset + index) * element_bytes;
    if ((byte & (line_bytes_ - 1)) < element_bytes) {
      accesses.push_back({address_of(region) + byte, kind, 4, 0, 0, 0});
    }
  };
  const auto add = [&](Region region, uint64_t element_bytes) {
    touch(region, element_bytes, sim::AccessKind::load);
  };
  if (!input.has_values) {
    add(input.first_region, sizeof(Label));
  } else if (input.layout == Layout::pairs) {
    add(input.first_region, sizeof(cpu::Pair<Label, Value>));
  } else {
    add(input.first_region, sizeof(Label));
    add(input.second_region, sizeof(Value));
  }
  if (has_results(problem_.operation) && !writes_own_results()) {
    const bool in_pairs = input.has_values && input.layout == Layout::pairs;
    touch(input.results_region, in_pairs ? sizeof(cpu::Pair<Label, Value>) : sizeof(Value),
          sim::AccessKind::store);
  }
}

template <class Label, class Value>
void CorePhases<Label, Value>::warm_positions(Core core, const std::vector<size_t>& positions,
                                              Layout layout, Region to, Region to_values) {
  if (options_.record_only) {
    return;
  }
  if (!has_values(problem_.operation)) {
    warm_outputs(core, positions, to, sizeof(Label));
  } else if (layout == Layout::pairs) {
    warm_outputs(core, positions, to, sizeof(cpu::Pair<Label, Value>));
  } else {
    warm_outputs(core, positions, to, sizeof(Label));
    warm_outputs(core, positions, to_values, sizeof(Value));
  }
}

template <class Label, class Value>
void CorePhases<Label, Value>::warm_places(Core core, const std::vector<size_t>& positions,
                                           Region region, uint64_t element_bytes,
                                           sim::AccessKind kind) {
  std::vector<sim::Access> accesses;
  for (const size_t position : positions) {
    const uint64_t last = position == 0 ? 0 : position - 1;
    accesses.push_back({address_of(region) + (moved_ + last) * element_bytes, kind,
                        static_cast<uint8_t>(element_bytes), 0, 0, 0});
  }
  core.warm(accesses);
}

// Appends accesses to the lines of an array whose first access comes from elements [first, last).
template <class Label, class Value>
void CorePhases<Label, Value>::add_lines(const Stream& stream, uint64_t first, uint64_t last,
                                         std::vector<sim::Access>& accesses) const {
  const uint64_t begin = address_of(stream.region) + moved_ * stream.element_bytes;
  const uint64_t end = begin + last * stream.element_bytes;
  const uint64_t from = begin + first * stream.element_bytes + line_bytes_ - 1;
  for (uint64_t line = from / line_bytes_ * line_bytes_; line < end; line += line_bytes_) {
    accesses.push_back({line, stream.kind, 4, 0, 0, 0});
  }
}

// Warms the caches with items before `begin`, as far back as the last level holds the lines that
// they touch, at `bytes_per_item` bytes each. lines(first, last, accesses) adds the accesses of
// items [first, last).
template <class Label, class Value>
template <class Lines>
void CorePhases<Label, Value>::warm_streams(Core core, uint64_t begin, double bytes_per_item,
                                            Lines lines) {
  // Number of items whose lines are accessed array by array
  constexpr uint64_t kItemsOfBlock = 4096;
  const double held = 1.25 * static_cast<double>(last_level_bytes_) / bytes_per_item /
                      static_cast<double>(threads_);
  std::vector<sim::Access> accesses;
  for (uint64_t at = begin - std::min(begin, static_cast<uint64_t>(held)); at < begin;
       at += kItemsOfBlock) {
    accesses.clear();
    lines(at, std::min(begin, at + kItemsOfBlock), accesses);
    core.warm(accesses);
  }
}

}  // namespace presort::predict
