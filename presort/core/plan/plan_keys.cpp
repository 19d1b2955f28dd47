#include "presort/core/plan/plan_keys.h"

#include "presort/core/fields/field_text.h"
#include "presort/core/fields/rows.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {

namespace fields {
namespace {

template <auto Member>
auto& of_presort(Plan& plan) {
  return *plan.presort.*Member;
}
template <auto Member>
auto& of_base(Plan& plan) {
  return plan.base.*Member;
}
template <auto Member>
auto& of_resources(Plan& plan) {
  return plan.resources.*Member;
}

// Far beyond what any plan has, so that nothing that is computed of them overflows.
constexpr Range kBits = whole(0, 64);
constexpr Range kNumber = whole(0, 65536);

std::string get_sort_bits(const void* plan) {
  const auto& presort = static_cast<const Plan*>(plan)->presort;
  return std::to_string(presort ? presort->sort_bits : 0);
}

void set_sort_bits(void* object, std::string_view key, std::string_view text) {
  Plan& plan = *static_cast<Plan*>(object);
  Presort presort = plan.presort.value_or(Presort{});
  assign_text(number<&Presort::sort_bits>("sortBits", kBits, stated, ""), &presort, key, text, 0);
  plan.presort = presort.sort_bits == 0 ? std::nullopt : std::optional(presort);
}

// A size with a unit; a plain number is bytes, as the key's name says.
uint64_t parse_plain_bytes(std::string_view key, std::string_view text) {
  const bool plain = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  return plain ? parse_count(key, text) : parse_bytes(key, text);
}

// What a plan must have for a key to mean anything.
enum class Needs { cpu, presort, bufferedPresort, plainLoop };

bool is_plain_loop(const Plan& plan) {
  return !plan.presort && plan.base.n_sets == 1 && plan.base.prefetch_distance == 0;
}

template <Needs needs>
const char* why_without(const Plan& plan) {
  if (needs != Needs::presort && runs_on_gpu(plan.base.strategy)) {
    return "with a strategy of device cpu";
  }
  if (needs == Needs::plainLoop) {
    return is_plain_loop(plan) ? nullptr
                               : "without sortBits, nSets and prefetchDistance, which decide it";
  }
  if ((needs == Needs::presort || needs == Needs::bufferedPresort) && !plan.presort) {
    return "with a pre-sort (sortBits of at least 1)";
  }
  if (needs == Needs::bufferedPresort && plan.base.strategy == Strategy::plainRadix) {
    return "without strategy=plainRadix, which has no buffers";
  }
  return nullptr;
}

constexpr FieldOptions kOfCpu = {.why_not = of_object<&why_without<Needs::cpu>>,
                                 .applies_text = "with a strategy of device cpu"};
constexpr FieldOptions kOfPresort = {.default_text = "as few as sortBits takes",
                                     .why_not = of_object<&why_without<Needs::presort>>,
                                     .applies_text = "with a pre-sort"};
constexpr FieldOptions kOfBuffers = {
    .why_not = of_object<&why_without<Needs::bufferedPresort>>,
    .applies_text = "with a pre-sort other than strategy=plainRadix, on a CPU"};
constexpr FieldOptions kOfPlainLoop = {
    .why_not = of_object<&why_without<Needs::plainLoop>>,
    .applies_text = "without sortBits, nSets and prefetchDistance, on a CPU"};

constexpr Field kPlanRows[] = {
    {"sortBits",
     TextAccess{get_sort_bits, set_sort_bits, nullptr, JsonValue::count},
     stated,
     "top bits of the label that the pre-sort orders by, at most those of the largest label; 0: no "
     "pre-sort",
     kBits,
     {.default_text = "0"}},
    number<&of_presort<&Presort::passes>>("passes", kBits, stated,
                                          "radix passes of the pre-sort, each of at most 12 bits",
                                          kOfPresort),
    number_text<&of_presort<&Presort::buffer_bytes>, &format_bytes, &parse_plain_bytes>(
        "bufferBytes", JsonValue::bytes, stated,
        "write buffer of each partition: a power of two from 64B to 1KiB", kOfBuffers),
    choice<&of_presort<&Presort::layout>, kLayouts>(
        "layout", stated, "how partitioned labels and values lie", kOfBuffers),
    flag<&of_presort<&Presort::streaming>>(
        "streaming", stated, "buffers are flushed with non-temporal stores", kOfBuffers),
    number_text<&of_presort<&Presort::chunk_bytes>, &format_bytes, &parse_plain_bytes>(
        "chunkBytes", JsonValue::bytes, optional,
        "a part is a chain of chunks of so many bytes, a power of two from 16KiB to 1MiB; 0: it "
        "lies in one piece",
        kOfBuffers),
    choice<&of_base<&Base::strategy>, kStrategies>(
        "strategy", stated, "how buckets are updated, on the whole input or on each partition"),
    number<&of_base<&Base::range_passes>>(
        "rangePasses", kNumber, stated,
        "traversals, each for one range of labels; at most 64 on a CPU; 1: not in use"),
    number<&of_base<&Base::n_sets>>("nSets", kNumber, stated,
                                    "bucket sets updated by turns, at most 4"),
    number<&of_base<&Base::prefetch_distance>>(
        "prefetchDistance", kNumber, stated,
        "inputs ahead at which buckets are fetched, at most 4096; 0: not at all", kOfCpu),
    number<&of_base<&Base::input_distance>>(
        "inputDistance", kNumber, stated,
        "inputs ahead at which labels, values and lines of results are fetched, at most 4096; 0: "
        "not at all, or as the loop does anyway",
        kOfPlainLoop),
    number<&of_resources<&Resources::threads>>(
        "threads", kNumber, stated, "threads, at most 1024; results do not depend on them", kOfCpu),
    choice<&of_resources<&Resources::page_size>, kPageSizes>(
        "pageSize", stated, "pages of inputs, buckets and scratch", kOfCpu),
    choice<&of_resources<&Resources::isa>, kIsas>("isa", stated,
                                                  "instructions that a partition may use", kOfCpu),
};

// A plan that has every key that some plan has.
const void* initial_plan() {
  static const Plan plan{.presort = Presort{}, .base = {}, .resources = {}};
  return &plan;
}

}  // namespace

constexpr FieldTable kPlan = {"How a problem is computed.", kPlanRows, initial_plan,
                              TableLayout::flow, JsonNames::keys};

}  // namespace fields

std::span<const Field> plan_keys() {
  return fields::kPlan.rows;
}

const Field* find_plan_key(std::string_view key) {
  return find_row(fields::kPlan, key);
}

std::vector<std::string> plan_key_names() {
  std::vector<std::string> names;
  for (const Field& row : plan_keys()) {
    names.emplace_back(row.key);
  }
  return names;
}

void set_plan_key(Plan& plan, const Field& row, std::string_view value) {
  assign_text(row, &plan, row.key, value, 0);
}

const char* why_without_meaning(const Field& row, const Plan& plan) {
  return row.options.why_not == nullptr ? nullptr : row.options.why_not(&plan);
}

bool is_written(const Field& row, const Plan& plan) {
  return row.applies_to(&plan) &&
         !(row.presence == Presence::optional && is_default(fields::kPlan, row, &plan));
}

}  // namespace presort
