// Exchange inputs in chunks: each device's inputs are cut into as many chunks, and the chunks after
// the first cross the link while owners reduce those before them. Each device has two streams: one
// sends, the other reduces.
//   Buckets:  a bucket's inputs come chunk by chunk, and in a chunk by device, so ⊙ must commute.
//             Integers and exact ⊙ have the same bits with any number of chunks
//   Memory:   as one exchange of all inputs: room for every chunk is taken before the first is
//             reduced, and no bucket has changed if there is not enough
#pragma once

#include <algorithm>
#include <vector>

#include "presort/gpu/devices/exchange_inputs.cuh"

namespace presort::inline v0::gpu {

// Chunk `number` of `count` of each share.
template <class T>
Shares<const T> chunk_of(const Shares<const T>& shares, uint64_t number, uint64_t count) {
  Shares<const T> chunk;
  for (const auto& share : shares) {
    const uint64_t first = share.size() * number / count;
    const uint64_t last = share.size() * (number + 1) / count;
    chunk.push_back(share.subspan(first, last - first));
  }
  return chunk;
}

namespace detail {

// Reduces on each device what it got from all, chunk by chunk, by reduce(received, buckets,
// scratch, stream); bytes(d, n): scratch of n inputs. The host waits for the counts of each chunk,
// before the first is sent.
// Requires: chunks >= 2
template <bool kHasValues, class Label, class Value, class Bucket, class Bytes, class Reduce>
void reduce_in_chunks(const Devices& devices, const Shares<const Label>& labels,
                      const Shares<const Value>& values, const Shares<Bucket>& buckets,
                      const Bytes& bytes, const Reduce& reduce, int chunks) {
  using ChunkExchange = Exchange<kHasValues, Label, Value>;
  const Devices& sending = devices.sending();
  sending.follow(devices);
  const auto count = static_cast<uint64_t>(chunks);
  std::vector<Shares<const Label>> chunk_labels;
  std::vector<Shares<const Value>> chunk_values;
  for (uint64_t k = 0; k < count; ++k) {
    chunk_labels.push_back(chunk_of(labels, k, count));
    chunk_values.push_back(kHasValues ? chunk_of(values, k, count) : values);
  }
  std::vector<ChunkExchange> exchanges;
  exchanges.reserve(count);
  for (uint64_t k = 0; k < count; ++k) {
    exchanges.emplace_back(sending, chunk_labels[k], chunk_values[k], ranges_of_shares(buckets));
  }
  std::vector<DeviceScratch> scratch;
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] {
      size_t most = 0;
      for (const ChunkExchange& exchange : exchanges) {
        const uint64_t n = exchange.received(d).labels.size();
        most = std::max<size_t>(most, n == 0 ? 0 : bytes(d, n));
      }
      scratch.emplace_back(devices, d, most);
    });
  }
  for (ChunkExchange& exchange : exchanges) {
    exchange.send();
    devices.follow(sending);
    for (size_t d = 0; d < devices.size(); ++d) {
      const auto got = exchange.received(d);
      if (!got.labels.empty()) {
        devices.on(d, [&] { reduce(got, buckets[d], scratch[d].span(), devices.stream(d)); });
      }
    }
  }
  devices.meet();
  sending.follow(devices);  // the room of the chunks is given back by the streams that send
}

}  // namespace detail
}  // namespace presort::gpu
