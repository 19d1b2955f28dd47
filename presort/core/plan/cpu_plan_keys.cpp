#include "presort/core/plan/plan_keys.h"

#include "presort/core/fields/rows.h"
#include "presort/core/plan/sort_bits_key.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::fields {
namespace {

template <auto Member>
auto& of_presort(CpuPlan& plan) {
  return *plan.presort.*Member;
}
template <auto Member>
auto& of_base(CpuPlan& plan) {
  return plan.base.*Member;
}
template <auto Member>
auto& of_resources(CpuPlan& plan) {
  return plan.resources.*Member;
}

// Reads a size with or without a unit; a plain number is bytes, as the key's name says.
uint64_t parse_plain_bytes(std::string_view key, std::string_view text) {
  const bool plain = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  return plain ? parse_count(key, text) : parse_bytes(key, text);
}

// Conditions on a plan without which a key means nothing.
enum class Needs { presort, bufferedPresort, plainLoop };

bool is_plain_loop(const CpuPlan& plan) {
  return !plan.presort && plan.base.n_sets == 1 && plan.base.prefetch_distance == 0;
}

template <Needs needs>
const char* why_without(const CpuPlan& plan) {
  if (needs == Needs::plainLoop) {
    return is_plain_loop(plan) ? nullptr
                               : "without sortBits, nSets and prefetchDistance, which decide it";
  }
  if (needs != Needs::plainLoop && !plan.presort) {
    return "with a pre-sort (sortBits of at least 1)";
  }
  if (needs == Needs::bufferedPresort && plan.base.strategy == CpuStrategy::plainRadix) {
    return "without strategy=plainRadix, which has no buffers";
  }
  return nullptr;
}

constexpr FieldOptions kOfPresort = {.default_text = "as few as sortBits takes",
                                     .why_not = of_object<&why_without<Needs::presort>>,
                                     .applies_text = "with a pre-sort"};
constexpr FieldOptions kOfBuffers = {
    .why_not = of_object<&why_without<Needs::bufferedPresort>>,
    .applies_text = "with a pre-sort other than strategy=plainRadix"};
constexpr FieldOptions kOfPlainLoop = {
    .why_not = of_object<&why_without<Needs::plainLoop>>,
    .applies_text = "without sortBits, nSets and prefetchDistance"};

constexpr Field kCpuPlanRows[] = {
    sort_bits_row<CpuPlan>(),
    number<&of_presort<&Presort::passes>>(
        "passes", kPlanBits, stated,
        "radix passes that the pre-sort is split into, each by at most 12 bits", kOfPresort),
    number_text<&of_presort<&Presort::buffer_bytes>, &format_bytes, &parse_plain_bytes>(
        "bufferBytes", JsonValue::bytes, stated,
        "software write buffer of each part: a power of two from 64B to 1KiB", kOfBuffers),
    choice<&of_presort<&Presort::layout>, kLayouts>(
        "layout", stated, "where partitioned labels and values lie: as pairs, or in two arrays",
        kOfBuffers),
    flag<&of_presort<&Presort::streaming>>(
        "streaming", stated, "buffers are flushed with non-temporal stores, past the caches",
        kOfBuffers),
    number_text<&of_presort<&Presort::chunk_bytes>, &format_bytes, &parse_plain_bytes>(
        "chunkBytes", JsonValue::bytes, optional,
        "parts are chains of chunks of this size, which needs no histogram: a power of two from "
        "16KiB to 1MiB; 0: a part lies in one piece",
        kOfBuffers),
    choice<&of_base<&Base::strategy>, kCpuStrategies>(
        "strategy", stated,
        "how buckets are updated. direct: by a plain loop, over the whole input or part by part. "
        "privateTables: each thread has a table of its own, and they are merged. plainRadix: sort "
        "without write buffers, then the plain loop"),
    number<&of_base<&Base::range_passes>>("rangePasses", kPlanNumber, stated,
                                          "passes over the input, each for one range of the "
                                          "buckets; at most 64; 1: one pass for all"),
    number<&of_base<&Base::n_sets>>("nSets", kPlanNumber, stated,
                                    "copies of the buckets that inputs update in turn, so that "
                                    "equal labels do not wait for each "
                                    "other; merged at the end; at most 4"),
    number<&of_base<&Base::prefetch_distance>>(
        "prefetchDistance", kPlanNumber, stated,
        "software prefetch of buckets, so many inputs ahead; at most 4096; 0: none"),
    number<&of_base<&Base::input_distance>>(
        "inputDistance", kPlanNumber, stated,
        "software prefetch of labels, values and lines of results, so many inputs ahead; at most "
        "4096; 0: none, or as the loop does anyway",
        kOfPlainLoop),
    number<&of_resources<&Resources::threads>>(
        "threads", kPlanNumber, stated,
        "number of threads, at most 1024; results do not depend on it"),
    choice<&of_resources<&Resources::page_size>, kPageSizes>(
        "pageSize", stated, "memory pages of inputs, buckets and scratch"),
    choice<&of_resources<&Resources::isa>, kIsas>("isa", stated,
                                                  "widest instructions that a partition may use"),
    choice<&of_resources<&Resources::placement>, kPlacements>(
        "placement", optional,
        "memory nodes of the pages of inputs, buckets and scratch. firstTouch: all on the node of "
        "the caller. interleaved: in turn, by pages or by 1024 larger pieces of an array. byShare: "
        "each part on the node of the "
        "thread that has it"),
};

}  // namespace

constexpr FieldTable kCpuPlan = {"How a problem is computed on a CPU.", kCpuPlanRows,
                                 plan_with_presort<CpuPlan>, TableLayout::flow, JsonNames::keys};

}  // namespace presort::fields
