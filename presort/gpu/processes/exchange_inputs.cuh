// Exchange inputs between processes: every input goes to the rank that owns its bucket. Each rank
// packs its inputs by owner, in their order, and the packs cross the links; an owner gets those of
// rank 0 first, then those of rank 1, so the inputs of a bucket keep their order.
// Bytes:    into each device, (G - 1) / G of the inputs of one, for G ranks with even shares
// Stream:   the host waits once, for the number of inputs that each owner gets
// Memory:   room for the inputs that a rank gets, and for those that it sends
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "presort/gpu/devices/exchange_inputs.cuh"
#include "presort/gpu/processes/process_group.cuh"

namespace presort::inline v0::gpu {

template <bool kHasValues, class Label, class Value>
class ProcessExchange {
 public:
  // Counts the inputs of each owner, and takes room on every rank. All ranks call it.
  // Errors: as ProcessGroup; nothing is sent then
  ProcessExchange(const ProcessGroup& group, std::span<const Label> labels,
                  std::span<const Value> values, const BucketRanges& ranges)
      : group_(group), labels_(labels), values_(values), ranges_(ranges) {
    Totals own{};
    group.together([&] {
      chunks_ = chunks_to_send<kHasValues, Label, Value>(labels.size(), group.size());
      const size_t bytes = owner_counts(chunks_, group.size()) * sizeof(uint64_t);
      counts_room_.emplace(group.stream(), bytes, std::span<std::byte>{});
      counts_ = reinterpret_cast<uint64_t*>(counts_room_->span().data());
      count_for_owners(group.stream(), labels, chunks_, ranges, counts_);
      PRESORT_CUDA(cudaMemcpyAsync(own.of, owner_totals(counts_, chunks_, group.size()),
                                   group.size() * sizeof(uint64_t), cudaMemcpyDeviceToHost,
                                   group.stream()));
      PRESORT_CUDA(cudaStreamSynchronize(group.stream()));
    });
    totals_ = group.all_gather(own);
    for (const Totals& totals : totals_) {
      got_ += totals.of[group.rank()];
    }
    group.together([&] {
      Carver measuring;
      take(measuring);
      room_.emplace(group.stream(), measuring.used_bytes(), std::span<std::byte>{});
      Carver carver(room_->span().data());
      take(carver);
    });
  }

  // Number of inputs that this rank gets.
  uint64_t received_inputs() const { return got_; }

  // Packs this rank's inputs by owner, on its stream; its own ones go where they are received.
  void pack() {
    Destinations<Label, Value> to;
    for_each_rank([&](size_t r, uint64_t packed, uint64_t came) {
      const bool is_own = r == group_.rank();
      to.labels[r] = is_own ? got_labels_ + came : sent_labels_ + packed;
      if constexpr (kHasValues) {
        to.values[r] = is_own ? got_values_ + came : sent_values_ + packed;
      }
    });
    send_to_owners<kHasValues>(group_.stream(), labels_, kHasValues ? values_.data() : nullptr,
                               chunks_, ranges_, counts_, to);
  }

  // Sends what is packed, and returns what this rank gets, on its stream. All ranks call it.
  Received<Label, Value> send() {
    std::vector<SentPiece> sent;
    std::vector<ReceivedPiece> received;
    for_each_rank([&](size_t r, uint64_t packed, uint64_t came) {
      if (r == group_.rank()) {
        return;
      }
      const uint64_t out = totals_[group_.rank()].of[r];
      const uint64_t in = totals_[r].of[group_.rank()];
      add(sent, received, r, std::span(sent_labels_ + packed, out),
          std::span(got_labels_ + came, in));
      if constexpr (kHasValues) {
        add(sent, received, r, std::span(sent_values_ + packed, out),
            std::span(got_values_ + came, in));
      }
    });
    group_.exchange(sent, received);
    return {{got_labels_, got_}, {got_values_, kHasValues ? got_ : 0}};
  }

 private:
  struct Totals {
    uint64_t of[kMostDevices] = {};  // inputs for each owner
  };

  void take(Carver& carver) {
    const uint64_t sends = labels_.size() - totals_[group_.rank()].of[group_.rank()];
    if constexpr (kHasValues) {
      got_values_ = carver.take<Value>(got_);
      sent_values_ = carver.take<Value>(sends);
    }
    got_labels_ = carver.take<Label>(got_);
    sent_labels_ = carver.take<Label>(sends);
  }

  // Calls visit(r, packed, came) for each rank r: inputs packed for the ranks before it, but for
  // the own one, and inputs that came from the ranks before it.
  template <class Visit>
  void for_each_rank(const Visit& visit) const {
    const size_t own = group_.rank();
    uint64_t packed = 0;
    uint64_t came = 0;
    for (size_t r = 0; r < group_.size(); ++r) {
      visit(r, packed, came);
      packed += r == own ? 0 : totals_[own].of[r];
      came += totals_[r].of[own];
    }
  }

  template <class T>
  static void add(std::vector<SentPiece>& sent, std::vector<ReceivedPiece>& received, size_t r,
                  std::span<T> out, std::span<T> in) {
    if (!out.empty()) {
      sent.push_back({static_cast<int>(r), std::as_bytes(out)});
    }
    if (!in.empty()) {
      received.push_back({static_cast<int>(r), std::as_writable_bytes(in)});
    }
  }

  const ProcessGroup& group_;
  std::span<const Label> labels_;
  std::span<const Value> values_;
  BucketRanges ranges_;
  SendChunks chunks_;
  std::optional<Workspace> counts_room_;
  uint64_t* counts_ = nullptr;
  std::vector<Totals> totals_;  // totals_[d].of[o]: inputs from rank d to rank o
  uint64_t got_ = 0;
  std::optional<Workspace> room_;
  Label* got_labels_ = nullptr;
  Label* sent_labels_ = nullptr;
  Value* got_values_ = nullptr;
  Value* sent_values_ = nullptr;
};

}  // namespace presort::gpu
