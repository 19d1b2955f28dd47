#include "presort/sim/memory/dram.h"

#include <algorithm>
#include <bit>

#include "presort/core/base/random.h"

namespace presort::inline v0::sim {

namespace {
constexpr uint64_t kInterleavedLines = 4;

// Repeats the elements of a vector, once for each node.
template <class T>
void repeat(std::vector<T>& elements, size_t nodes) {
  const std::vector<T> one = elements;
  for (size_t node = 1; node < nodes; ++node) {
    elements.insert(elements.end(), one.begin(), one.end());
  }
}

}  // namespace

Dram::Dram(const Memory& memory, double clock_hz, uint64_t line_bytes, int cores)
    : line_bytes_(static_cast<double>(line_bytes)),
      line_shift_(std::countr_zero(line_bytes)),
      latency_(memory.latency_ns * 1e-9 * clock_hz),
      row_hit_(memory.row_hit_ns * 1e-9 * clock_hz),
      row_cycle_(memory.row_cycle_ns * 1e-9 * clock_hz),
      turnaround_bytes_(memory.turnaround_ns * 1e-9 * memory.bandwidth / memory.channels),
      turnaround_(memory.turnaround_ns * 1e-9 * clock_hz),
      write_batch_(memory.write_batch),
      channels_(static_cast<uint64_t>(memory.channels)),
      lines_per_stripe_(std::max<uint64_t>(1, memory.row_bytes / line_bytes) * channels_.value()),
      banks_per_channel_(static_cast<uint64_t>(memory.banks)),
      core_reads_(
          static_cast<size_t>(cores),
          Bandwidth((memory.per_core_bandwidth > 0 ? memory.per_core_bandwidth : memory.bandwidth) /
                    clock_hz)),
      core_writes_(core_reads_),
      channel_(channels_.value(),
               Channel{Bandwidth(memory.bandwidth / memory.channels / clock_hz), std::nullopt}),
      open_rows_(channels_.value() * static_cast<uint64_t>(memory.banks), 0),
      banks_(row_cycle_ > 0 ? open_rows_.size() : 0) {
  if (memory.write_bandwidth > 0) {
    for (Channel& channel : channel_) {
      channel.writes.emplace(memory.write_bandwidth / memory.channels / clock_hz);
    }
  }
}

Dram::Dram(const Machine& machine, uint64_t line_bytes, const std::vector<int>& core_numbers)
    : Dram(machine.memory, machine.clock_hz, line_bytes, static_cast<int>(core_numbers.size())) {
  if (const size_t nodes = node_count(machine); nodes > 1) {
    nodes_.emplace(machine, core_numbers);
    repeat(channel_, nodes);
    repeat(open_rows_, nodes);
    repeat(banks_, nodes);
  }
}

void Dram::restart() {
  if (nodes_) {
    nodes_->restart();
  }
  for (std::vector<Bandwidth>* direction : {&core_reads_, &core_writes_}) {
    for (Bandwidth& core : *direction) {
      core.restart();
    }
  }
  for (Channel& channel : channel_) {
    channel.bus.restart();
    if (channel.writes) {
      channel.writes->restart();
    }
    channel.written = 0;
  }
  std::fill(open_rows_.begin(), open_rows_.end(), 0);
  std::fill(banks_.begin(), banks_.end(), Bank{});
  reset_counts();
}

Dram::Place Dram::place_of(uint64_t line) const {
  const uint64_t stripe = lines_per_stripe_.quotient(line);
  const uint64_t spread = mix64(stripe);
  const uint64_t channels = channels_.value();
  const uint64_t channel = channels_.remainder(line / kInterleavedLines + spread);
  return {stripe * channels + channel,
          channel + channels * banks_per_channel_.remainder(channels_.quotient(spread)), channel};
}

bool Dram::open_row(const Place& place) {
  uint64_t& open = open_rows_[place.bank];
  const bool hit = open == place.row + 1;
  open = place.row + 1;
  return hit;
}

// The place of a line of a node's memory, whose number is left out of `line`.
Dram::Place Dram::place_in(size_t node, uint64_t line) const {
  const uint64_t channels = channels_.value();
  const uint64_t banks = channels * banks_per_channel_.value();
  const Place place = place_of(line & ((uint64_t{1} << (kNodeShift - line_shift_)) - 1));
  return {place.row, place.bank + node * banks, place.channel + node * channels};
}

Dram::Reply Dram::read(uint64_t line, double t, int core) {
  ++reads_;
  const double mine = core_reads_[static_cast<size_t>(core)].reserve(t, line_bytes_);
  return nodes_ ? read_from_node(line, mine, core) : read_at(place_of(line), mine);
}

// Reads a line of any node: it takes the link's bandwidth before that of the channel, which is the
// same but for a shift of all times.
Dram::Reply Dram::read_from_node(uint64_t line, double t, int core) {
  const size_t node = line >> (kNodeShift - line_shift_);
  const size_t home = nodes_->home(core);
  Reply reply = read_at(place_in(node, line), nodes_->reserve(node, home, t, line_bytes_));
  reply.ready += nodes_->extra(home, node);
  return reply;
}

Dram::Reply Dram::read_at(const Place& place, double t) {
  if (row_cycle_ > 0) {
    return read_banked(place, t);
  }
  const double start = channel_[place.channel].bus.reserve(t, line_bytes_);
  return {start, start + latency_ + (open_row(place) ? row_hit_ : 0)};
}

// Reads a line from a bank with row timing. Opening a row takes -rowHit. In an unloaded memory, the
// columns of a row miss are read after that time and those of a hit at once; the data come latency
// + rowHit after the columns.
Dram::Reply Dram::read_banked(const Place& place, double t) {
  const Bank::Reply bank = banks_[place.bank].request(place.row, t, row_cycle_, -row_hit_);
  const double column = channel_[place.channel].bus.reserve(bank.column, line_bytes_);
  const double ready = column + latency_ + row_hit_;
  return {ready - latency_ - (bank.row_hit ? row_hit_ : 0), ready};
}

double Dram::write(uint64_t line, double t, int core) {
  ++writes_;
  const double start = core_writes_[static_cast<size_t>(core)].reserve(t, line_bytes_);
  if (!nodes_) {
    return write_at(place_of(line), start);
  }
  const size_t node = line >> (kNodeShift - line_shift_);
  const size_t home = nodes_->home(core);
  const double sent = nodes_->reserve(home, node, start, line_bytes_);
  return write_at(place_in(node, line), sent) + nodes_->extra(home, node);
}

double Dram::write_at(const Place& place, double t) {
  double start = t;
  if (row_cycle_ > 0) {
    start = banks_[place.bank].request(place.row, start, row_cycle_, -row_hit_).column;
  } else {
    open_row(place);
  }
  Channel& channel = channel_[place.channel];
  if (channel.writes) {
    return channel.writes->reserve(start, line_bytes_);
  }
  return turnaround_bytes_ > 0 ? write_turning(channel, start)
                               : channel.bus.reserve(start, line_bytes_);
}

// Writes a line; the first line of a batch turns the channel to writing, the last one turns it back
// to reading.
double Dram::write_turning(Channel& channel, double t) {
  const bool first = channel.written == 0;
  channel.written = channel.written + 1 == write_batch_ ? 0 : channel.written + 1;
  const bool last = channel.written == 0;
  const double turns = (first ? turnaround_bytes_ : 0) + (last ? turnaround_bytes_ : 0);
  return channel.bus.reserve(t, line_bytes_ + turns) + (first ? turnaround_ : 0);
}

}  // namespace presort::sim
