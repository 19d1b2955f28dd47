// The members of TeamPhases (predict/team/team_phases.h) for phases over the whole input.
#pragma once

#include "presort/predict/team/team_phases.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
template <class Update>
std::unique_ptr<ItemStream> TeamPhases<Label, Value>::direct_stream(
    const PhaseInput& input, uint64_t first, uint64_t last, uint64_t size,
    const TracedArray<Value>& buckets, const Update& update, cpu::Distances distances) const {
  const uint64_t results = One::results_at(moved_input(input));
  return over(
      input, first, std::min(size, last + distances.buckets),
      [=
  ](auto view) requires(One::template goes_with<decltype(view)>(static_cast<Update*>(nullptr))) {
        const auto placed = One::template with_results<decltype(view)>(update, results);
        return cpu::DirectAhead<TracingMemory, decltype(view), Value,
                                std::remove_const_t<decltype(placed)>>{view, buckets, placed,
                                                                       distances, size};
      });
}

// Every thread that has buckets in its part of the range reads all inputs.
template <class Label, class Value>
template <class Update>
PhaseEstimate TeamPhases<Label, Value>::owned_direct(const PhaseInput& input, const Update& update,
                                                     cpu::Distances distances,
                                                     const cpu::RangePass& range) {
  const uint64_t n = input.labels->size();
  std::vector<cpu::Share> own = divide(this->problem_.m);
  std::vector<cpu::Share> before = own;  // of the pass before
  for (size_t t = 0; t < threads_; ++t) {
    before[t] = cpu::RangePass{std::max<size_t>(1, range.pass) - 1, range.passes}.of(own[t]);
    own[t] = range.of(own[t]);
  }
  std::vector<cpu::Share> shares;
  for (const cpu::Share& share : own) {
    shares.push_back({0, share.count() > 0 ? n : 0});
  }
  TeamJob job = job_of(std::move(shares), n);
  job.prepare = [&](TeamSampler& team, size_t t, uint64_t begin, int slice) {
    this->own_ = own[t];
    auto core = team.core(t);
    this->warm_past(core, moved_input(input), begin, slice);
    if (range.pass > 0 && begin == 0) {
      this->warm_pass_before(core, moved_input(input), before[t]);
    }
  };
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    const auto chosen =
        backed(Region::chosen, chosen_[t], apart(t, cpu::kOwnedBlock * sizeof(uint32_t)));
    const cpu::Share mine = own[t];
    const uint64_t results = One::results_at(moved_input(input));
    return over(
        input, first, last,
        [ =, this ](auto view) requires(
            One::template goes_with<decltype(view)>(static_cast<Update*>(nullptr))) {
          const auto placed = One::template with_results<decltype(view)>(update, results);
          return cpu::OwnedDirect<TracingMemory, decltype(view), Value,
                                  std::remove_const_t<decltype(placed)>>{
              view, {this->buckets_}, placed, mine.first, mine.count(), chosen, distances};
        });
  };
  return sample(job);
}

// The plain loop of several threads on buckets that are only read.
template <class Label, class Value>
template <class Update>
PhaseEstimate TeamPhases<Label, Value>::shared_direct(const PhaseInput& input, const Update& update,
                                                      cpu::Distances distances) {
  const uint64_t n = input.labels->size();
  TeamJob job = job_of(divide(n), n);
  job.prepare = [&](TeamSampler& team, size_t t, uint64_t begin, int slice) {
    auto core = team.core(t);
    this->warm_past(core, moved_input(input), begin, slice);
  };
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    return direct_stream(input, first, last, job.shares[t].last, TracedArray<Value>{this->buckets_},
                         update, distances);
  };
  return sample(job);
}

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::direct(const PhaseInput& input, cpu::Distances distances) {
  return this->dispatch_update([&]<class Update>(const Update& update) {
    if constexpr (std::is_same_v<Update, cpu::GatherUpdate<typename One::Unplaced>>) {
      return shared_direct(input, update, distances);
    } else {
      return owned_direct(input, update, distances, {});
    }
  });
}

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::range_pass(const PhaseInput& input,
                                                   cpu::Distances distances,
                                                   const cpu::RangePass& range) {
  return this->dispatch_update([&]<class Update>(const Update& update) -> PhaseEstimate {
    if constexpr (std::is_same_v<Update, cpu::GatherUpdate<typename One::Unplaced>>) {
      throw Error("range passes of a gather");
    } else {
      return owned_direct(input, update, distances, range);
    }
  });
}

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::histogram(const PhaseInput& input,
                                                  const cpu::Digit& digit) {
  return count_digits(input, digit, apart(1, cpu::kCountTables * digit.count() * sizeof(uint32_t)));
}

// The counts of threads are so many bytes apart.
template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::count_digits(const PhaseInput& input,
                                                     const cpu::Digit& digit, uint64_t apart) {
  TeamJob job = job_of_pass(input);
  const auto warm_up = One::reused(4 * digit.count());
  job.first_warm_up = warm_up.first;
  job.later_warm_up = warm_up.later;
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    const TracedArray<uint32_t> counts{address_of(Region::counts) + t * apart};
    return over(input, first, last, [=](auto view) {
      return cpu::DigitHistogram<TracingMemory, decltype(view)>{view, counts, digit};
    });
  };
  return sample(job);
}

// Where a thread's piece of a part stands follows from how many inputs precede its share; each has
// chunks of its own.
template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::partition(const PhaseInput& input, const cpu::Digit& digit,
                                                  const cpu::WriteBuffers& through, Region to,
                                                  Region to_values) {
  const uint64_t capacity = One::buffer_capacity(through);
  const uint64_t buffer_bytes = capacity * digit.count() * sizeof(cpu::Pair<Label, Value>);
  const uint64_t position_bytes = digit.count() * sizeof(size_t);
  const DigitState state(*input.labels, digit, digit.count());
  TeamJob job = job_of_pass(input);
  const auto warm_up = through.streaming ? One::reused(capacity * digit.count())
                                         : this->written(capacity * digit.count());
  job.first_warm_up = warm_up.first;
  job.later_warm_up = warm_up.later;
  const uint64_t chunk = One::chunk_elements(through);
  const uint64_t chunks =  // of a thread
      chunk == 0 ? 0 : digit.count() + input.labels->size() / threads_ / chunk + 1;
  const auto seed = this->options_.seed;
  job.prepare = [&](TeamSampler& team, size_t t, uint64_t begin, int) {
    if (chunk == 0) {
      positions_[t] = state.positions_at(begin, capacity, seed);
    } else {
      auto open = state.open_chunks_at(job.shares[t].first, begin, capacity, chunk, seed);
      for (size_t& position : open.positions) {
        position += t * chunks * chunk;
      }
      positions_[t] = std::move(open.positions);
      drawn_[t] = {static_cast<uint32_t>(open.drawn + t * chunks)};
    }
    auto core = team.core(t);
    this->warm_positions(core, positions_[t], through.layout, to, to_values);
  };
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    std::unique_ptr<ItemStream> stream;
    const auto positions = backed(Region::positions, positions_[t], apart(t, position_bytes));
    this->with_any_buffers(
        through, to, to_values,
        [&]<class Buffers>(const Buffers& buffers) {
          if constexpr (Buffers::kFlushes == cpu::Flush::streaming) {
            if (chunk > 0) {
              const auto parts = chunked_parts(drawn_[t], chunk, apart(t, sizeof(size_t)));
              stream = over(
                  input, first, last,
                  [=](auto view) requires(One::template kGoesThrough<decltype(view), Buffers>) {
                    return cpu::BufferedPartition<TracingMemory, decltype(view), Buffers, size_t,
                                                  cpu::ChunkedParts<TracingMemory>>{
                        view, positions, buffers, digit, parts};
                  });
              return;
            }
          }
          stream = over(
              input, first,
              last, [=](auto view) requires(One::template kGoesThrough<decltype(view), Buffers>) {
                return cpu::BufferedPartition<TracingMemory, decltype(view), Buffers, size_t>{
                    view, positions, buffers, digit};
              });
        },
        apart(t, buffer_bytes));
    return stream;
  };
  return sample(job);
}

// Some digits are timed in two halves, one after the other, as with one thread. A part consists of
// the pieces of all threads, one after the other.
template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::drain(uint64_t inputs, const cpu::Digit& digit,
                                              const cpu::WriteBuffers& through, Region to,
                                              Region to_values) {
  const uint64_t capacity = One::buffer_capacity(through);
  const uint64_t piece = std::max<uint64_t>(capacity, inputs / digit.count() / threads_);
  const uint64_t buffer_bytes = capacity * digit.count() * sizeof(cpu::Pair<Label, Value>);
  const uint64_t some = std::min<uint64_t>(256, digit.count());
  this->move_arrays(0, this->problem_.n);
  TeamSampler team(this->machine_, this->options_, this->page_bytes_, threads_);
  TeamSampler::Sources warm(threads_);
  TeamSampler::Sources timed(threads_);
  for (size_t t = 0; t < threads_; ++t) {
    positions_[t].resize(digit.count());
    for (size_t d = 0; d < digit.count(); ++d) {
      positions_[t][d] = piece * (d * threads_ + t) / capacity * capacity +
                         bounded(random_u64(this->options_.seed + t, d), capacity);
    }
    this->with_any_buffers(
        through, to, to_values,
        [&](auto buffers) {
          using Drain = cpu::DrainBuffers<TracingMemory, decltype(buffers), size_t>;
          const Drain phase{
              backed(Region::positions, positions_[t], apart(t, digit.count() * sizeof(size_t))),
              buffers};
          const auto items = [&](uint64_t first, uint64_t last) {
            return std::make_unique<OwnPhaseTrace<Drain>>(phase, first, last, team.memory(t));
          };
          warm[t] = items(0, some / 2);
          timed[t] = items(some / 2, some);
        },
        apart(t, buffer_bytes));
  }
  team.warm(warm);
  team.time(timed, std::vector<uint64_t>(threads_, some - some / 2));
  return team.estimate(std::vector<uint64_t>(threads_, some), some);
}

}  // namespace presort::predict
