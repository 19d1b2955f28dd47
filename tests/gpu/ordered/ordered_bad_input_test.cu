// Tests that bad arguments of scans, reductions and compactions of segments throw a typed error
// before anything is launched.
#include "presort/gpu/check_flags.cuh"
#include "presort/gpu/check_offsets.cuh"
#include "presort/gpu/compact.cuh"
#include "presort/gpu/reduce_by_key.cuh"
#include "presort/gpu/segmented_reduce.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using TestArray = presort::gpu::test::DeviceArray<uint32_t>;
using TestBytes = presort::gpu::test::DeviceArray<std::byte>;
using TestFlags = presort::gpu::test::DeviceArray<uint8_t>;

namespace {

constexpr size_t kInputs = 5000;

// The message of the error of a given type that `run` throws.
template <class ErrorType, class Run>
std::string message_of(const Run& run) {
  try {
    run();
  } catch (const ErrorType& error) {
    return error.what();
  }
  return "nothing thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Arrays {
  TestArray values{std::vector<uint32_t>(kInputs, 1)};
  TestArray results{std::vector<uint32_t>(kInputs, 7)};
  TestArray offsets{std::vector<uint32_t>{0, 10, kInputs}};
  TestFlags heads{std::vector<uint8_t>(kInputs, 0)};
  TestBytes scratch{test::poison(1 << 20)};

  bool is_untouched() const { return results.host() == std::vector<uint32_t>(kInputs, 7); }
};

}  // namespace

TEST_CASE("lengths that do not fit") {
  const Arrays a;
  const auto in = a.values.read_only();
  const auto out = a.results.span();
  const auto room = a.scratch.span();
  const Sum<uint32_t> sum;
  CHECK(message_of<PlanError>([&] {
          scan<Scan::inclusive>(nullptr, in, out.first(4999), sum, room);
        }) == "results: found 4999, accepted: 5000, as many as values");
  CHECK(contains(message_of<PlanError>([&] {
                   flagged_scan<Scan::inclusive>(nullptr, in, a.heads.read_only().first(3), out,
                                                 sum, room);
                 }),
                 "heads: found 3, accepted: 5000"));
  CHECK(contains(message_of<PlanError>([&] {
                   packed_flagged_scan<Scan::inclusive>(nullptr, in, a.offsets.read_only(), out,
                                                        sum, room);
                 }),
                 "packed heads: found 3, accepted: 157"));
  CHECK(contains(message_of<PlanError>([&] {
                   segmented_scan<Scan::inclusive>(nullptr, in, a.offsets.read_only().first(0), out,
                                                   sum, room);
                 }),
                 "offsets: found none"));
  CHECK(contains(message_of<PlanError>([&] {
                   segmented_reduce(nullptr, in, a.offsets.read_only(), out.first(3), sum, room);
                 }),
                 "offsets: found 3, accepted: 4"));
  CHECK(contains(
      message_of<PlanError>([&] { segmented_reduce(nullptr, in, 7, out.first(3), sum, room); }),
      "values: found 5000, accepted: 21"));
  CHECK(contains(message_of<PlanError>([&] {
                   segmented_reduce(nullptr, in, uint64_t{1} << 63, out.first(4), sum, room);
                 }),
                 "values: found 5000"));
  CHECK(a.is_untouched());
}

TEST_CASE("scratch that is too small or misaligned, and arrays that overlap or are misaligned") {
  const Arrays a;
  const auto in = a.values.read_only();
  const auto out = a.results.span();
  const auto room = a.scratch.span();
  const size_t bytes = scan_scratch_bytes<uint32_t>(kInputs);
  const auto scan_to = [&](std::span<uint32_t> results, std::span<std::byte> scratch) {
    return [=] { scan<Scan::inclusive>(nullptr, in, results, Sum<uint32_t>{}, scratch); };
  };
  CHECK(contains(message_of<PlanError>(scan_to(out, room.first(bytes - 1))),
                 "scratch: found " + std::to_string(bytes - 1)));
  CHECK(contains(message_of<PlanError>(scan_to(out, room.subspan(1))), "not a multiple of 64"));
  const std::span shifted(a.values.span().data() + 1, kInputs);
  CHECK(message_of<SpanError>(scan_to(shifted, room)) ==
        "values and results overlap, and are not both only read");
  const std::span odd(reinterpret_cast<uint32_t*>(reinterpret_cast<std::byte*>(out.data()) + 2),
                      kInputs);
  CHECK(contains(message_of<SpanError>(scan_to(odd, room)), "2 bytes above a multiple"));
  CHECK(contains(message_of<SpanError>([&] {
                   segmented_reduce(nullptr, in, a.offsets.read_only(), a.values.span().first(2),
                                    Sum<uint32_t>{}, room);
                 }),
                 "values and results overlap"));
  CHECK(contains(message_of<SpanError>([&] {
                   partition(nullptr, in, a.heads.read_only(), out, out.subspan(10),
                             reinterpret_cast<uint64_t*>(room.data() + 4096), room.first(4096));
                 }),
                 "kept and others overlap"));
  CHECK(contains(message_of<SpanError>([&] {
                   reduce_by_key(nullptr, in, in, out, out,
                                 reinterpret_cast<uint64_t*>(room.data()), Sum<uint32_t>{},
                                 room.subspan(64));
                 }),
                 "run keys and results overlap"));
  CHECK(a.is_untouched());
  scan_to(out, room.first(bytes))();
  PRESORT_CUDA(cudaDeviceSynchronize());
  CHECK(a.results.host().back() == kInputs);
}

TEST_CASE("every flag that is not 0 counts") {
  const Arrays a;
  std::vector<uint8_t> flags(kInputs, 0);
  flags[1] = 1;
  flags[2] = 2;
  flags[4999] = 255;
  const TestFlags device(flags);
  const presort::gpu::test::DeviceArray<uint64_t> count(std::vector<uint64_t>{9});
  compact(nullptr, a.values.read_only(), device.read_only(), a.results.span(), count.span().data(),
          a.scratch.span());
  PRESORT_CUDA(cudaDeviceSynchronize());
  CHECK(count.host() == std::vector<uint64_t>{3});
  flagged_scan<Scan::inclusive>(nullptr, a.values.read_only(), device.read_only(), a.results.span(),
                                Sum<uint32_t>{}, a.scratch.span());
  PRESORT_CUDA(cudaDeviceSynchronize());
  const auto found = a.results.host();
  CHECK(found[1] == 1);
  CHECK(found[2] == 1);
  CHECK(found[4998] == 4997);
  CHECK(found[4999] == 1);
}

TEST_CASE("the first offset that decreases or lies beyond the values is named") {
  const TestBytes room(test::poison(kCheckOffsetsBytes));
  const auto check = [&](std::vector<uint32_t> offsets, uint64_t n) {
    const TestArray device(offsets);
    return message_of<OffsetError>(
        [&] { check_offsets(nullptr, device.read_only(), n, room.span()); });
  };
  CHECK(check({0}, 0) == "nothing thrown");
  CHECK(check({0, 0, 5, 5, 9}, 9) == "nothing thrown");
  CHECK(check({0, 5, 4, 3, 9}, 9) == OffsetError(2, 4, 5, 9).what());
  CHECK(check({0, 5, 10}, 9) == OffsetError(2, 10, 5, 9).what());
  CHECK(check({10, 5}, 9) == OffsetError(0, 10, 0, 9).what());
  std::vector<uint32_t> many(300000);
  for (uint32_t i = 0; i < many.size(); ++i) {
    many[i] = i;
  }
  CHECK(check(many, many.size()) == "nothing thrown");
  many[299998] = 7;
  many[200000] = 199998;
  CHECK(check(many, many.size()) == OffsetError(200000, 199998, 199999, 300000).what());
  CHECK(contains(message_of<PlanError>(
                     [&] { check_offsets(nullptr, std::span<const uint32_t>(), 5, room.span()); }),
                 "offsets: found none"));
  CHECK(contains(message_of<PlanError>([&] {
                   const TestArray device(std::vector<uint32_t>{0});
                   check_offsets(nullptr, device.read_only(), 5, room.span().first(63));
                 }),
                 "scratch: found 63 bytes"));
}

TEST_CASE("the first flag out of range, and a first value that begins no segment, are named") {
  const TestBytes room(test::poison(kCheckFlagsBytes));
  const auto flags = [&](std::vector<uint8_t> flags) {
    const TestFlags device(flags);
    return message_of<FlagError>([&] { check_flags(nullptr, device.read_only(), room.span()); });
  };
  const auto heads = [&](std::vector<uint8_t> heads) {
    const TestFlags device(heads);
    return message_of<FlagError>([&] { check_heads(nullptr, device.read_only(), room.span()); });
  };
  const auto packed = [&](std::vector<uint32_t> words, uint64_t n) {
    const TestArray device(words);
    return message_of<FlagError>(
        [&] { check_packed_heads(nullptr, device.read_only(), n, room.span()); });
  };
  CHECK(flags({}) == "nothing thrown");
  CHECK(flags({0, 0, 1, 1}) == "nothing thrown");
  CHECK(flags({0, 1, 2, 255}) == "flag 2 at index 2, accepted: 0 or 1");
  CHECK(flags({255}) == "flag 255 at index 0, accepted: 0 or 1");
  std::vector<uint8_t> many(300'001, 1);
  CHECK(flags(many) == "nothing thrown");
  CHECK(heads(many) == "nothing thrown");
  many[300'000] = 2;
  CHECK(flags(many) == "flag 2 at index 300000, accepted: 0 or 1");
  many[257] = 7;
  CHECK(heads(many) == "flag 7 at index 257, accepted: 0 or 1");
  CHECK(heads({}) == "nothing thrown");
  CHECK(heads({1}) == "nothing thrown");
  CHECK(heads({0, 1}) == "flag 0 at index 0, accepted: 1, as the first value begins a segment");
  CHECK(heads({2, 1}) == "flag 2 at index 0, accepted: 1, as the first value begins a segment");
  CHECK(packed({}, 0) == "nothing thrown");
  CHECK(packed({1}, 1) == "nothing thrown");
  CHECK(packed({~0u, ~0u}, 64) == "nothing thrown");
  CHECK(packed({~0u, 1}, 33) == "nothing thrown");
  CHECK(packed({~1u, 1}, 33) ==
        "flag 0 at index 0, accepted: 1, as the first value begins a segment");
  CHECK(packed({1, 6}, 33) == "flag 1 at index 33, accepted: 0 behind the last of 33 values");
  CHECK(packed({1, 1u << 31}, 63) ==
        "flag 1 at index 63, accepted: 0 behind the last of 63 values");
  const TestArray word(std::vector<uint32_t>{1});
  CHECK(contains(message_of<PlanError>(
                     [&] { check_packed_heads(nullptr, word.read_only(), 33, room.span()); }),
                 "packed heads: found 1, accepted: 2"));
  CHECK(contains(message_of<PlanError>([&] {
                   check_flags(nullptr, std::span<const uint8_t>(), room.span().first(63));
                 }),
                 "scratch: found 63 bytes"));
  CHECK(contains(message_of<PlanError>([&] {
                   check_heads(nullptr, std::span<const uint8_t>(), room.span().subspan(1));
                 }),
                 "scratch"));
}
