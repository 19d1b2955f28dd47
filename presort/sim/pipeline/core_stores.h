// The members of BasicCore (core.h) for stores: how they are dispatched, wait for their turn, ask
// for their lines, and leave the store buffer. Included by core_steps.h.
#pragma once

#include <algorithm>
#include <optional>

#include "presort/sim/pipeline/core.h"

namespace presort::inline v0::sim {

template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::store(const Access& record, double t) {
  const double start = begin(t, completion(record.depends_on));
  const typename Addresses::Reply place = locate(record, start, Paging::Use::write);
  const std::optional<double> line_ready = ask_ahead(record, place);
  translation_.finish(place, line_ready.value_or(place.ready));
  const double data = std::max(t, completion(record.data_depends_on)) + 1;
  const double completed = std::max(place.ready, data);
  course_.wait_until(completed, kDependence);
  retire(completed, kCore);
  put_aside(record, place, false, data, line_ready);
  return completed;
}

// Asks for the line of the current store as soon as the store's address is known, if few older
// stores are left, or if the address took a page walk, which ends with the request. Returns when
// the line is there, or nothing if the store has to ask when its turn comes.
template <class Addresses, class Lines>
std::optional<double> BasicCore<Addresses, Lines>::ask_ahead(
    const Access& record, const typename Addresses::Reply& place) {
  if (stores_ahead_ == 0) {
    return std::nullopt;
  }
  while (stores_.waits_beyond(stores_ahead_) && stores_.oldest().retired <= place.ready) {
    stores_.pop(drain(stores_.oldest()));
  }
  if (!place.walked && (runs_.limits() || !stores_.left_by(stores_ahead_, place.ready))) {
    return std::nullopt;
  }
  caches_.set_instruction(record.instruction, place.physical);
  Course unused;
  const uint64_t line = place.physical >> caches_.line_shift();
  const typename Lines::Reply reply =
      caches_.access(0, line, place.ready, true, unused, record.size);
  // A line that is asked for early takes one of the fill buffers of stores that wait for their
  // lines.
  if (!reply.first_level_hit && limits_store_lines_ && store_lines_.available(place.ready)) {
    store_lines_.take(place.ready);
    store_lines_.hold(reply.ready);
  }
  return reply.ready;
}

// Puts a store that has retired into the store buffer, where it waits for its turn.
template <class Addresses, class Lines>
void BasicCore<Addresses, Lines>::put_aside(const Access& record,
                                            const typename Addresses::Reply& place, bool streaming,
                                            double data, std::optional<double> line_ready) {
  const uint64_t number = stores_.push(
      {.address = record.address,
       .physical = place.physical,
       .instruction = record.instruction,
       .retired = retired_,
       .line_ready = line_ready,
       .size = record.size,
       .streaming = streaming,
       .on_its_way = !streaming && runs_.limits() &&
                     caches_.on_its_way(place.physical >> caches_.line_shift(), place.ready)});
  if (!streaming) {
    forwarding_.record(record.address, record.size, data, number);
  }
  if (mode_ == MemoryMode::dependent) {
    settle();
  }
}

template <class Addresses, class Lines>
void BasicCore<Addresses, Lines>::settle_until(double t) {
  while (stores_.waiting() > 0 && stores_.oldest().retired <= t) {
    stores_.pop(drain(stores_.oldest()));
  }
}

// Time, cycles, at which store `number`, which has retired, leaves the buffer.
template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::settle_through(uint64_t number) {
  while (stores_.waiting() > 0 && stores_.oldest().number <= number) {
    stores_.pop(drain(stores_.oldest()));
  }
  return stores_.left_at(number);
}

template <class Addresses, class Lines>
void BasicCore<Addresses, Lines>::settle() {
  while (stores_.waiting() > 0) {
    stores_.pop(drain(stores_.oldest()));
  }
}

// Time, cycles, at which a store frees its entry of the store buffer.
template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::drain(const RetiredStore& store) {
  caches_.set_instruction(store.instruction, store.physical);
  double drained = 0;
  if (store.streaming) {
    drained = caches_.stream_store(store.physical, store.size, store.retired);
  } else {
    drained = drain_time(store);
    forwarding_.drained(store.number, drained);
  }
  last_access_ = std::max(last_access_, mode_ == MemoryMode::dependent ? drained : 0);
  return drained;
}

// Stores enter the first cache level in program order, though their lines may arrive in any order.
template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::drain_time(const RetiredStore& store) {
  if (store.line_ready) {
    drained_ = std::max({drained_ + 1, store.retired, *store.line_ready});
    return drained_;
  }
  const uint64_t line = store.physical >> caches_.line_shift();
  const bool asks = limits_store_lines_ && line != stored_line_;
  const double waited =
      std::max(store.retired, stores_.near_front_from(store.number, stores_ahead_));
  const double turn = runs_.turn(waited, drained_);
  const double asked = asks ? store_lines_.take(turn) : turn;
  Course unused;
  const typename Lines::Reply reply = caches_.access(0, line, asked, true, unused, store.size);
  if (asks) {
    store_lines_.hold(reply.first_level_hit ? asked : reply.ready);
    stored_line_ = line;
  }
  drained_ = std::max(drained_ + 1, reply.first_level_hit ? store.retired : reply.ready);
  if (reply.first_level_hit && !store.on_its_way) {
    runs_.hit();
  } else {
    runs_.miss(waited, turn, reply.ready);
  }
  return drained_;
}

template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::streaming_store(const Access& record, double t) {
  const double start = begin(t, completion(record.depends_on));
  const typename Addresses::Reply place = locate(record, start, Paging::Use::stream);
  translation_.finish(place, place.ready);
  const double completed = std::max(place.ready, completion(record.data_depends_on)) + 1;
  course_.wait_until(completed, kDependence);
  retire(completed, kCore);
  put_aside(record, place, true, 0, std::nullopt);
  return completed;
}

}  // namespace presort::sim
