#include "presort/core/problem.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "presort/core/error.h"
#include "presort/core/segments.h"
#include "tests/core/refusal.h"

namespace problem_test {

using namespace presort;
using namespace presort::test;

namespace {

std::string distribution_refusal(const std::string& text) {
  return refusal<InputError>([&] { parse_distribution("dist", text); });
}

std::string types_refusal(const std::string& text) {
  return refusal<InputError>([&] { parse_types("type", text); });
}

Problem problem_of(uint64_t n, uint64_t m) {
  Problem problem;
  problem.n = n;
  problem.m = m;
  return problem;
}

}  // namespace

TEST_CASE("distributions are written as they are read") {
  for (const std::string text : {"uniform",
                                 "zipf:1",
                                 "zipf:1.25",
                                 "zipf:8",
                                 "zipf-contiguous:0.001",
                                 "clustered:16",
                                 "clustered:1",
                                 "clustered:1048576",
                                 "sequential",
                                 "sorted",
                                 "permutation",
                                 "degenerate",
                                 "file:labels.bin",
                                 "file:a:b",
                                 "rmat:0.57:0.19:0.19",
                                 "rmat:0.25:0.25:0.25",
                                 "words:1.1:2.7",
                                 "words:8:0",
                                 "cells:0",
                                 "cells:3",
                                 "sessions:1:1",
                                 "sessions:40:0.001",
                                 "strays:0",
                                 "strays:0.05",
                                 "strays:1"}) {
    CHECK(to_string(parse_distribution("dist", text)) == text);
  }
  CHECK(parse_distribution("dist", "zipf-contiguous:1.5") ==
        Distribution{DistributionKind::zipfContiguous, 1.5, ""});
}

TEST_CASE("any parameter survives being written and read") {
  CHECK(rc::check("zipf", [](uint32_t numerator) {
    const Distribution distribution{DistributionKind::zipf, (numerator + 1.0) * 0x1p-30, ""};
    RC_ASSERT(parse_distribution("dist", to_string(distribution)) == distribution);
  }));
}

TEST_CASE("a distribution that does not exist is refused with the nearest spelling") {
  const std::string message = distribution_refusal("unifrom");
  CHECK(message.starts_with("dist: found 'unifrom', accepted: uniform, zipf, "));
  CHECK(message.ends_with("(did you mean 'uniform'?)"));
}

TEST_CASE("a parameter that is missing, superfluous, malformed or out of range is refused") {
  for (const std::string text : {"zipf",
                                 "zipf:",
                                 "zipf:0",
                                 "zipf:-1",
                                 "zipf:8.5",
                                 "zipf:1x",
                                 "zipf:nan",
                                 "zipf:01",
                                 "zipf:50%",
                                 "clustered",
                                 "clustered:0.5",
                                 "clustered:1048577",
                                 "clustered:1e9",
                                 "uniform:1",
                                 "sorted:",
                                 "file",
                                 "file:",
                                 "rmat",
                                 "rmat:0.5",
                                 "rmat:0.57:0.19",
                                 "rmat:0.57:0.19:0.19:0.05",
                                 "rmat:0.5:0.5:0.5",
                                 "rmat:-0.1:0.5:0.5",
                                 "rmat:0:1:0",
                                 "rmat:1:0:0",
                                 "rmat:0.57::0.19",
                                 "words:1.1",
                                 "words:0:2",
                                 "words:9:2",
                                 "words:1:-1",
                                 "words:1:1048577",
                                 "words:1:2:3",
                                 "cells",
                                 "cells:0.5",
                                 "cells:1025",
                                 "cells:-1",
                                 "sessions:8",
                                 "sessions:0.5:0.1",
                                 "sessions:8:0",
                                 "sessions:8:1.5",
                                 "sessions:8:nan",
                                 "strays",
                                 "strays:1.01",
                                 "strays:-0.1",
                                 "strays:5%"}) {
    CAPTURE(text);
    CHECK(distribution_refusal(text).starts_with("dist: found '" + text + "', accepted: "));
  }
  CHECK(distribution_refusal("zipf:9") == "dist: found 'zipf:9', accepted: zipf:S with 0 < S <= 8");
}

TEST_CASE("types are a label and a value; a lone name is the value") {
  CHECK(parse_types("type", "u32+f64") == Types{ScalarType::u32, ScalarType::f64});
  CHECK(parse_types("type", "u64+i32") == Types{ScalarType::u64, ScalarType::i32});
  CHECK(parse_types("type", "f32") == Types{ScalarType::u32, ScalarType::f32});
  CHECK(to_string(Types{}) == "u32+u32");
  CHECK(parse_types("type", "u8+u64") == Types{ScalarType::u8, ScalarType::u64});
  CHECK(to_string(parse_types("type", "u64+f64")) == "u64+f64");
  CHECK(to_string(parse_types("type", "u16+u32")) == "u16+u32");
}

TEST_CASE("types that labels or values cannot have are refused") {
  CHECK(types_refusal("i32+u32").starts_with("type (label): found 'i32', accepted: u32, u64, u8"));
  CHECK(types_refusal("u32+u8").starts_with("type (value): found 'u8', accepted: u32, u64, i32"));
  for (const std::string text : {"", "+", "u32+", "+u32", "u32+u32+u32", "f64+u32", "U32"}) {
    CAPTURE(text);
    CHECK(types_refusal(text).starts_with("type ("));
  }
}

TEST_CASE("the number of label bits is that of the largest label") {
  CHECK(label_bits(1) == 0);
  CHECK(label_bits(2) == 1);
  CHECK(label_bits(3) == 2);
  CHECK(label_bits(4) == 2);
  CHECK(label_bits(5) == 3);
  CHECK(label_bits(uint64_t{1} << 20) == 20);
  CHECK(label_bits((uint64_t{1} << 20) + 1) == 21);
  CHECK(label_bits(~uint64_t{0}) == 64);
}

TEST_CASE("a problem needs inputs, buckets and labels that can name them") {
  CHECK_NOTHROW(check_problem(problem_of(1, 1)));
  CHECK_NOTHROW(check_problem(problem_of(1, uint64_t{1} << 32)));
  CHECK_THROWS_AS(check_problem(problem_of(0, 1)), InputError);
  CHECK_THROWS_AS(check_problem(problem_of(1, 0)), InputError);
  Problem large = problem_of(1, (uint64_t{1} << 32) + 1);
  CHECK(refusal<InputError>([&] { check_problem(large); }) ==
        "m: found '4294967297', accepted: at most 2^32 buckets with labels of type u32");
  large.types.label = ScalarType::u64;
  CHECK_NOTHROW(check_problem(large));
}

TEST_CASE("a problem reads as one line") {
  CHECK(to_string(problem_of(1 << 26, 1 << 20)) == "multireduce n=2^26 m=2^20 uniform u32+u32");
  Problem problem = problem_of(1000, 3);
  problem.operation = Operation::scatter;
  problem.distribution = {DistributionKind::zipf, 1.25, ""};
  problem.types.value = ScalarType::f64;
  CHECK(to_string(problem) == "scatter n=1000 m=3 zipf:1.25 u32+f64");
}

TEST_CASE("offsets of segments name all values") {
  Problem problem = problem_of(uint64_t{1} << 31, 10);
  problem.operation = Operation::segmentedScan;
  CHECK_NOTHROW(check_problem(problem));
  problem.n += 1;
  CHECK(refusal<InputError>([&] { check_problem(problem); }) ==
        "n: found '2147483649', accepted: at most 2^31 values with offsets of type u32");
  problem.types.label = ScalarType::u64;
  CHECK_NOTHROW(check_problem(problem));
}

TEST_CASE("operations without labels take no buckets, no distribution, and no shape but one") {
  Problem scan = problem_of(1000, 1);
  scan.operation = Operation::scan;
  scan.types.value = ScalarType::f32;
  CHECK_NOTHROW(check_problem(scan));
  CHECK(to_string(scan) == "scan n=1000 u32+f32");
  const auto with = [&](auto change) {
    Problem changed = scan;
    change(changed);
    return refusal<InputError>([&] { check_problem(changed); });
  };
  CHECK(with([](Problem& p) { p.m = 4; }) == "m: found '4', accepted: 1: a scan has no buckets");
  CHECK(with([](Problem& p) {
          p.distribution = {DistributionKind::zipf, 1, ""};
        }) == "dist: found 'zipf:1', accepted: uniform: a scan has no labels");
  CHECK(with([](Problem& p) { p.shape = parse_extents("", "10x100"); }) ==
        "shape: found '10x100', accepted: none: it goes with reduceAxes, not with scan");
  CHECK(with([](Problem& p) { p.axes = parse_axis_set("", "0"); }) ==
        "axes: found '0', accepted: none: they go with reduceAxes, not with scan");
}

TEST_CASE("flags of a compact are of one byte") {
  Problem problem = problem_of(1000, 256);
  problem.operation = Operation::compact;
  CHECK(refusal<InputError>([&] { check_problem(problem); }) ==
        "type: found 'u32' for the flags of compact, accepted: u8");
  problem.types.label = ScalarType::u8;
  CHECK_NOTHROW(check_problem(problem));
  problem.m = 257;
  CHECK(refusal<InputError>([&] { check_problem(problem); }) ==
        "m: found '257', accepted: at most 2^8 buckets with labels of type u8");
}

TEST_CASE("a reduction over axes has the sizes of its shape, and reduces axes that it has") {
  Problem problem = problem_of(60, 15);
  problem.operation = Operation::reduceAxes;
  problem.shape = parse_extents("", "3x4x5");
  problem.axes = parse_axis_set("", "1");
  CHECK_NOTHROW(check_problem(problem));
  CHECK(to_string(problem) == "reduceAxes 3x4x5 over 1 u32+u32");
  const auto with = [&](auto change) {
    Problem changed = problem;
    change(changed);
    return refusal<InputError>([&] { check_problem(changed); });
  };
  CHECK(with([](Problem& p) { p.shape = {}; }) ==
        "shape: found none, accepted: extents such as 512x512x1024");
  CHECK(with([](Problem& p) { p.axes = {}; }) ==
        "axes: found '', accepted: one axis or several from 0 to 2, those of shape 3x4x5");
  CHECK(with([](Problem& p) { p.axes = parse_axis_set("", "1,3"); }) ==
        "axes: found '1,3', accepted: one axis or several from 0 to 2, those of shape 3x4x5");
  CHECK(with([](Problem& p) { p.n = 61; }) ==
        "n: found '61', accepted: 60, that of shape 3x4x5 reduced over 1");
  CHECK(with([](Problem& p) { p.m = 16; }) ==
        "m: found '16', accepted: 15, that of shape 3x4x5 reduced over 1");
  CHECK(with([](Problem& p) { p.distribution.kind = DistributionKind::sorted; }) ==
        "dist: found 'sorted', accepted: uniform: a reduceAxes has no labels");
}

TEST_CASE("segments are as long as there are labels of each kind") {
  for (const char* text : {"uniform", "zipf:1", "degenerate", "sequential"}) {
    CAPTURE(text);
    const auto labels = make_labels(parse_distribution("dist", text), 5000, 77, 3);
    std::vector<uint32_t> offsets(78, 9);
    fill_segment_offsets(*labels, std::span<uint32_t>(offsets));
    std::vector<uint64_t> all(5000);
    labels->generate(0, all);
    std::ranges::sort(all);
    for (uint64_t k = 0; k <= 77; ++k) {
      CHECK(offsets[k] == std::ranges::lower_bound(all, k) - all.begin());
    }
  }
}

}  // namespace problem_test
