#include "presort/predict/closed_form/drawn_pages.h"

#include <algorithm>
#include <bit>

namespace presort::inline v0::predict {

std::vector<const TlbLevel*> levels_for(const Machine& machine, uint64_t entry_bytes) {
  std::vector<const TlbLevel*> levels;
  for (const TlbLevel& level : machine.tlb) {
    const auto& sizes = level.page_bytes;
    if (std::find(sizes.begin(), sizes.end(), entry_bytes) != sizes.end()) {
      levels.push_back(&level);
    }
  }
  return levels;
}

uint64_t entry_bytes(const Machine& machine, uint64_t page_bytes) {
  const uint64_t bytes =
      std::min(page_bytes, machine.walk.nested_host_page_bytes.value_or(page_bytes));
  return levels_for(machine, bytes).empty() ? std::min<uint64_t>(bytes, 4096) : bytes;
}

DrawnPages::DrawnPages(const Machine& machine, uint64_t page_bytes, DrawnLines& lines)
    : lines_(lines),
      entry_shift_(std::countr_zero(entry_bytes(machine, page_bytes))),
      walker_count_(std::max(1, machine.walk.walkers)),
      outstanding_count_(std::max(1, machine.walk.outstanding)),
      walkers_(walker_count_),
      outstanding_(outstanding_count_),
      limited_(machine.walk.outstanding > 0),
      overhead_(machine.walk.overhead_cycles),
      held_(machine.walk.interval_of(page_bytes) * walker_count_),
      met_(size_t{1} << kTableBits) {
  for (const TlbLevel* level : levels_for(machine, uint64_t{1} << entry_shift_)) {
    nearest_ = latencies_.empty() ? *level : nearest_;
    latencies_.push_back(level->latency_cycles);
  }
  for (size_t i = 0; i < machine.caches.size(); ++i) {
    entry_level_ = machine.caches[i].name == machine.walk.enters_at ? i : entry_level_;
  }
}

void DrawnPages::begin(const std::array<PagePlace, kPlaces>& places, std::vector<WalkRead> reads,
                       const std::array<bool, kPlaces>& streams) {
  places_ = places;
  reads_ = std::move(reads);
  streams_ = streams;
  ++phase_;
  walkers_ = sim::MissRegisters(walker_count_);
  outstanding_ = sim::MissRegisters(outstanding_count_);
  table_lines_ = 0;
  read_draw_ = Draw();
  walks_ = 0;
  latest_.fill(~uint64_t{0});
  if (!latencies_.empty()) {
    first_.emplace(nearest_.entries / nearest_.ways, nearest_.ways, nearest_.policy, false);
  }
  for (size_t i = 0; i < kPlaces; ++i) {
    draws_[i].restart(i + 101);
  }
}

DrawnPages::Reply DrawnPages::translate(uint64_t address, double t, bool, sim::Course& course) {
  Reply reply{address, t, false};
  if (!first_) {
    return reply;
  }
  const uint64_t page = address >> entry_shift_;
  reply.ready += latencies_[0];
  uint64_t& latest = latest_[(address >> DrawnLines::kPlaceShift) % kPlaces];
  if (latest == page) {
    if (latencies_[0] > 0) {
      course.wait_until(reply.ready, sim::kTlb);
    }
    return reply;
  }
  latest = page;
  if (!first_->access(page, false).hit) {
    reply.ready = beyond_first_level(page, reply.ready, reply.walked);
    first_->insert(page, sim::CacheArray::kNone);
  }
  if (reply.ready > t) {
    course.wait_until(reply.ready, sim::kTlb);
  }
  return reply;
}

double DrawnPages::beyond_first_level(uint64_t page, double t, bool& walked) {
  Met& met = met_[(page * 0x9e3779b97f4a7c15ULL) >> (64 - kTableBits)];
  const bool known = met.page == page && met.phase == phase_;
  met = {page, phase_};
  const size_t place = (page >> (DrawnLines::kPlaceShift - entry_shift_)) % kPlaces;
  const double u = known ? 0 : draws_[place]();
  double ready = t;
  if (!known && u < places_[place].within[0]) {
    return ready;
  }
  for (size_t i = 1; i < latencies_.size(); ++i) {
    ready += latencies_[i];
    if (known || u < places_[place].within[i]) {
      return ready;
    }
  }
  walked = true;
  return walk(place, ready);
}

double DrawnPages::walk(size_t place, double t) {
  ++walks_;
  lines_.set_instruction(0, 0);
  const double begun = walkers_.take(limited_ ? outstanding_.take(t) : t);
  double ready = begun + overhead_;
  for (const WalkRead& read : reads_) {
    if (streams_[place]) {
      ready += read.probability * read.stream_cycles;
      continue;
    }
    if (read.probability < 1 && read_draw_() >= read.probability) {
      continue;
    }
    // Each page-table read of a walk gets a cache line of its own, whose level is drawn.
    const uint64_t line =
        (static_cast<uint64_t>(read.place) << (DrawnLines::kPlaceShift - lines_.line_shift())) +
        (table_lines_++ * 131 & 0xffffff);
    ready = lines_.read_once(entry_level_, line, ready);
  }
  walkers_.hold(std::max(ready, begun + held_));
  return ready;
}

}  // namespace presort::predict
