// Brings caches and TLBs into the state in which earlier inputs of a phase left them, before a slice of
// the phase is timed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "presort/cpu/phases/digit.h"
#include "presort/predict/phases/slices/phase_arrays.h"
#include "presort/predict/sampling/sampling.h"

namespace presort::inline v0::predict {

class Warming : protected PhaseArrays {
 protected:
  using Core = Sampler::OneCore;

  Warming(const Machine& machine, const SimulationOptions& options, const Problem& problem,
          PageSize page_size, size_t threads, const ArrayPlaces& places, ElementBytes bytes);

  // How much of the memory system accesses before a slice warm.
  enum class Warms {
    all,
    lastLevel,  // the last cache level alone, by accesses that the other levels have forgotten
  };
  static void warm(Core core, std::span<const sim::Access> accesses, Warms levels) {
    levels == Warms::all ? core.warm(accesses) : core.warm_last_level(accesses);
  }

  // Number of inputs that are simulated untimed before the first timed slice, and before each later
  // slice.
  struct WarmUp {
    uint64_t first = 0;
    uint64_t later = 0;
  };
  // Inputs that warm the caches before each later slice
  static constexpr uint64_t kRewarmItems = 2048;
  // Most inputs that warm the caches before a slice
  static constexpr uint64_t kLongestWarm = 1 << 18;

  // Warm-up of a phase whose working set is touched by `items` inputs and stays in the caches between
  // slices.
  static WarmUp reused(uint64_t items) { return {items, std::min(items, kRewarmItems)}; }

  // Warm-up of a phase that writes to output places which advance; all places are written within
  // `items` inputs. In each slice the lines at the places are new, and the caches are full of the
  // phase's earlier output. Measured by 10 bits without buffers, n = 2^20, 2^18 buckets: the predicted
  // time was 2 % above that of all inputs simulated; with kRewarmItems before each later slice it was
  // 35 % below.
  WarmUp written(uint64_t items) const;

  // Warms the buckets as the inputs before `begin` left them. If these inputs are few, or if the last
  // cache level holds all buckets, the buckets are first warmed as after their initialisation, because
  // skewed inputs do not touch rare buckets in the warm-up. Labels in order come to each bucket once,
  // and to few lines: the first slice is warmed by as many of them as fill the last level three times,
  // if need be by the last ones of the run before, and finds no bucket that is yet to come. Labels that
  // depend on earlier labels (LabelSource::reach) have other buckets in the caches at each place, so
  // each slice is warmed by the inputs before it: as far back as labels reach, or as the last level
  // holds inputs. Inputs that only the last level remembers warm it alone, or its state is drawn
  // where it is known.
  void warm_past(Core core, const PhaseInput& input, uint64_t begin, int slice);

  // Warms the last inputs of the range pass that updated `buckets`, as many as the last cache level
  // holds.
  void warm_pass_before(Core core, const PhaseInput& input, const cpu::Share& buckets);

  // Fills the last cache level as a pass left it that moves inputs to the outputs of their digits: with
  // the lines of the inputs before `begin`, and with the lines of `outputs` that they were written to
  // through the caches, up to `positions`. A level shared by several threads, and arrays that are in
  // the caches already, stay as they are.
  // Requires: positions[d] is where the next input of digit d goes
  void warm_moved(Core core, const PhaseInput& input, uint64_t begin, std::vector<size_t> positions,
                  const cpu::Digit& digit, const std::vector<PhaseArray>& outputs);

  // Writes the bucket lines at bytes [from, to) of the buckets once; only the last lines if there are
  // more than the last cache level holds.
  void warm_lines(Core core, uint64_t from, uint64_t to, Warms levels = Warms::all);

  // Reads inputs [first, last) cache line by cache line, and writes their buckets if the thread owns
  // them.
  void warm_inputs(Core core, const PhaseInput& input, uint64_t first, uint64_t last,
                   Warms levels = Warms::all);

  // Warms the place in the output of each digit as if it had just been written: its page is in the TLB
  // and, with ordinary stores, its line in the caches.
  void warm_positions(Core core, const std::vector<size_t>& positions, Layout layout, Region to,
                      Region to_values);
  void warm_places(Core core, const std::vector<size_t>& positions, Region region,
                   uint64_t element_bytes, sim::AccessKind kind);

  // Warms the caches with items before `begin`, as far back as the last level holds the lines that
  // they touch, at `bytes_per_item` bytes each. add(first, last, accesses) adds the accesses of items
  // [first, last).
  using AddAccesses = std::function<void(uint64_t, uint64_t, std::vector<sim::Access>&)>;
  void warm_streams(Core core, uint64_t begin, double bytes_per_item, const AddAccesses& add);

  // Lines that an input is the first to touch in the mean, its bucket's included, if the labels before
  // input `end` are in order; 0 if they are not. Before the first inputs come the last ones of the run
  // before.
  double lines_in_order(const PhaseInput& input, uint64_t end) const;

  // Touches `bytes` bytes that no phase touches: the upper half of the labels' region.
  void touch_others(Core core, uint64_t bytes, Warms levels = Warms::all);

  // True if something is left in the caches of the arrays that an input lies in.
  bool is_kept(const PhaseInput& input) const;

  uint64_t held_above_ = 0;  // lines that the cache levels above the last one hold together

 private:
  uint64_t remembered_inputs(double lines) const;
  double input_lines(const PhaseInput& input) const;
  bool forgets_slowly(uint64_t bucket_lines) const;
  double share_of_streams(double streams, uint64_t bucket_lines) const;
  uint64_t last_level_lines() const { return last_level_bytes_ / line_bytes_; }
  // Number of different lines that fill the last level. Its sets take lines unevenly: a quarter
  // more than it holds leaves few places empty.
  uint64_t lines_to_fill() const { return last_level_lines() + last_level_lines() / 4; }
  // Numbers of lines that fill the last level: of buckets, and of inputs and results.
  struct LastingLines {
    uint64_t buckets = 0;
    uint64_t inputs = 0;
  };
  LastingLines lasting_lines(const PhaseInput& input, uint64_t bucket_lines) const;
  void draw_last_level(Core core, const PhaseInput& input, uint64_t end, uint64_t bucket_lines,
                       const LastingLines& drawn);
  void fill_with_others(Core core, const PhaseInput& input, uint64_t end);
  void fill_last_level(Core core, const PhaseInput& input, uint64_t end,
                       uint64_t most = ~uint64_t{0});
  void warm_by_age(Core core, const PhaseInput& input, uint64_t first, uint64_t last,
                   double lines = 1);
  void warm_pages(Core core, uint64_t from, uint64_t to);
};

}  // namespace presort::predict
