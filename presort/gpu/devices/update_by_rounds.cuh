// Rounds: each device pre-sorts its inputs once, and then updates the owners' buckets in their
//         memory, those
// of others through the link. The parts of each owner's range are cut into as many pieces as there
// are devices. In round r device d has piece d + r, modulo the number of devices, of every owner,
// so that a piece is of one device at a time, and each round sends as many bytes over the link as
// any other, while blocks with pieces of the own range work. No table of all buckets is needed.
// Bytes:    into each device, (G - 1) / G of the buckets, for G devices
// Requires: ⊙ commutes
#pragma once

#include <cstdint>
#include <vector>

#include "presort/gpu/devices/ranges.cuh"
#include "presort/gpu/multireduce.cuh"

namespace presort::inline v0::gpu {

// The pieces of one round of one device: one of each owner.
template <class ValueType>
struct RoundPieces {
  using Value = ValueType;
  static constexpr bool kBeginsAtZero = false;
  static constexpr bool kMayKeepPartsWhole = true;
  PartsPiece<Value> pieces[kMostDevices];
  int owners = 0;
  bool keeps_parts_whole = false;  // true: slices of the pairs begin where parts do, if one is near

  __host__ __device__ unsigned count() const { return static_cast<unsigned>(owners); }
  __device__ PartsPiece<Value> of(unsigned piece) const { return pieces[piece]; }
};

// The buckets of a round's pieces, as update_left_out asks for them.
template <class Value>
struct RoundBuckets {
  RoundPieces<Value> round;

  __device__ bool has(uint64_t label) const { return of(label) != nullptr; }
  // Address of a label's bucket; nullptr where this round has none of it
  __device__ Value* of(uint64_t label) const {
    for (unsigned i = 0; i < round.count(); ++i) {
      const PartsPiece<Value>& piece = round.pieces[i];
      if (label - piece.first < piece.m) {
        return piece.buckets + (label - piece.first);
      }
    }
    return nullptr;
  }
};

// True if the owners' ranges are whole parts of the plan's pre-sort, so that rounds can be made.
inline bool fits_rounds(const GpuPlan& plan, const BucketRanges& ranges) {
  if (!plan.presort || plan.strategy != GpuStrategy::sharedSets) {
    return false;
  }
  const int shift = label_bits(ranges.all()) - plan.presort->sort_bits;
  if (shift < 0) {
    return false;
  }
  for (int d = 1; d < ranges.devices; ++d) {
    if (ranges.begins[d] % (uint64_t{1} << shift) != 0 && ranges.begins[d] != ranges.all()) {
      return false;
    }
  }
  return true;
}

// Piece `number` of `count` of the parts of an owner's buckets [begin, begin + size).
template <class Value>
PartsPiece<Value> piece_of(Value* buckets, uint64_t begin, uint64_t size, const Parts& parts,
                           int shift, uint64_t number, uint64_t count) {
  const uint64_t end = begin + size;
  const uint64_t first_part = begin >> shift;
  const uint64_t of_owner = size == 0 ? 0 : ((end - 1) >> shift) + 1 - first_part;
  const uint64_t first = first_part + of_owner * number / count;
  const uint64_t last = first_part + of_owner * (number + 1) / count;
  if (first == last) {
    return {.buckets = buckets, .m = 0, .first = 0, .parts = {parts.begins, parts.ends, 0}};
  }
  const uint64_t first_bucket = first << shift;
  return {.buckets = buckets + (first_bucket - begin),
          .m = std::min(last << shift, end) - first_bucket,
          .first = first_bucket,
          .parts = {parts.begins + first, parts.ends + first, static_cast<uint32_t>(last - first)}};
}

// The pre-sorted inputs of one device, and the update of one round's buckets with them.
template <class Input>
class RoundsOfDevice {
 public:
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  using Word = WordOf<Value>;
  using Output = GaplessOutput<Label, Word>;

  RoundsOfDevice(const Devices& devices, size_t d, const Input& input, uint64_t n,
                 const GpuPlan& plan, uint64_t m)
      : stream_(devices.stream(d)),
        input_(input),
        n_(n),
        plan_(plan),
        m_(m),
        scratch_(devices, d, bytes()) {}

  // Orders the inputs. Called with the device as the current one, as update.
  void presort() {
    if (n_ == 0) {
      return;
    }
    Carver carver(scratch_.span().data());
    if (samples_room(plan_, n_)) {
      sampled_ = SampledArrays<Label, Word>::take(carver, plan_, n_);
      partition_to_rooms(stream_, as_words(input_), n_, sampled_, digit());
      ordered_ = typed_input<Value>(sampled_.out);
      parts_ = {sampled_.begins, sampled_.ends, digit().count()};
    } else {
      const auto arrays = PresortArrays<Label, Word, Output>::take(carver, plan_, n_, Order::any);
      ordered_ = typed_input<Value>(
          run_any_presort(stream_, as_words(input_), n_, arrays, plan_, label_bits(m_)));
      parts_ = {arrays.begins, arrays.begins + 1, digit().count()};
    }
  }

  // Updates piece `number` of each owner's buckets.
  template <class M>
  void update(const Shares<Value>& buckets, const BucketRanges& ranges, uint64_t number,
              const M& monoid) const {
    if (n_ == 0) {
      return;
    }
    const int shift = digit().shift;
    const auto count = static_cast<uint64_t>(ranges.devices);
    RoundPieces<Value> round;
    round.owners = ranges.devices;
    for (size_t owner = 0; owner < count; ++owner) {
      round.pieces[owner] = piece_of(buckets[owner].data(), ranges.begins[owner],
                                     ranges.size(owner), parts_, shift, number, count);
    }
    if (samples_room(plan_, n_)) {
      const auto tile = static_cast<uint32_t>(tile_inputs<Order::any, Output>(digit().bits));
      update_left_out(stream_, input_, n_, tile, sampled_.rooms, sampled_.ends,
                      RoundBuckets<Value>{round}, digit(), monoid);
    }
    update_pieces(stream_, ordered_, std::max<uint64_t>(n_ / count, 1), round, shift,
                  ranges_of_part(plan_, m_, sizeof(Value), current_device_limits()), monoid);
  }

 private:
  Digit digit() const {
    const int bits = plan_.presort->sort_bits;
    return {.shift = label_bits(m_) - bits, .bits = bits};
  }
  size_t bytes() const {
    Carver carver;
    take_update_arrays<Label, Value>(carver, plan_, n_);
    return carver.used_bytes();
  }

  cudaStream_t stream_;
  Input input_;
  uint64_t n_;
  GpuPlan plan_;
  uint64_t m_;
  DeviceScratch scratch_;
  SampledArrays<Label, Word> sampled_{};
  decltype(typed_input<Value>(Output{})) ordered_{};
  Parts parts_{};
};

// Updates buckets with inputs[d], of ns[d] inputs each. If a device has no memory, no bucket has
// changed.
// Requires: fits_rounds; ns[d] <= kMostInputsOfPresort
template <class Input, class Bucket, class M>
void update_by_rounds(const Devices& devices, const std::vector<Input>& inputs,
                      const std::vector<uint64_t>& ns, const Shares<Bucket>& buckets,
                      const M& monoid, const GpuPlan& plan) {
  const BucketRanges ranges = ranges_of_shares(buckets);
  const size_t count = devices.size();
  std::vector<RoundsOfDevice<Input>> rounds;
  rounds.reserve(count);
  for (size_t d = 0; d < count; ++d) {
    devices.on(d, [&] { rounds.emplace_back(devices, d, inputs[d], ns[d], plan, ranges.all()); });
  }
  for (size_t d = 0; d < count; ++d) {
    devices.on(d, [&] { rounds[d].presort(); });
  }
  devices.meet();  // buckets of other devices may only now have been written
  for (size_t round = 0; round < count; ++round) {
    for (size_t d = 0; d < count && round > 0; ++d) {
      devices.wait_for(d, (d + 1) % count);  // it had these pieces in the round before
    }
    for (size_t d = 0; d < count; ++d) {
      devices.on(d, [&] { rounds[d].update(buckets, ranges, (d + round) % count, monoid); });
    }
    for (size_t d = 0; d < count; ++d) {
      devices.mark(d);
    }
  }
  devices.meet();
}

}  // namespace presort::gpu
