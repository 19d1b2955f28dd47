#include "presort/core/plan/plan_keys.h"

#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

constexpr Named<bool> kTruths[] = {{"true", true}, {"false", false}};

int parse_int(std::string_view key, std::string_view value) {
  const uint64_t number = parse_count(key, value);
  const Range& range = find_plan_key(key)->range;
  if (!contains(range, static_cast<double>(number))) {
    throw InputError(std::string(key) + ": found " + quoted_text(value) +
                     ", accepted: " + accepted_text(range));
  }
  return static_cast<int>(number);
}

void set_sort_bits(Plan& plan, std::string_view key, std::string_view value) {
  const int bits = parse_int(key, value);
  if (bits == 0) {
    plan.presort.reset();
    return;
  }
  if (!plan.presort) {
    plan.presort.emplace();
  }
  plan.presort->sort_bits = bits;
}

std::string get_sort_bits(const Plan& plan) {
  return std::to_string(plan.presort ? plan.presort->sort_bits : 0);
}

// Getters and setters of a member `Member` of `part`, one pair per kind of value.
template <auto Part, auto Member>
struct Int {
  static std::string get(const Plan& plan) { return std::to_string(Part(plan).*Member); }
  static void set(Plan& plan, std::string_view key, std::string_view value) {
    Part(plan).*Member = parse_int(key, value);
  }
};

template <auto Part, auto Member, auto& Table>
struct Name {
  static std::string get(const Plan& plan) { return to_name(Table, Part(plan).*Member); }
  static void set(Plan& plan, std::string_view key, std::string_view value) {
    Part(plan).*Member = from_name(Table, key, value);
  }
};

constexpr auto kPresort = [](auto& plan) -> auto& {
  return *plan.presort;
};
constexpr auto kBase = [](auto& plan) -> auto& {
  return plan.base;
};
constexpr auto kResources = [](auto& plan) -> auto& {
  return plan.resources;
};

// A size with a unit; a plain number is bytes, as the key's name says.
template <auto Member>
struct Bytes {
  static std::string get(const Plan& plan) { return format_bytes(*plan.presort.*Member); }
  static void set(Plan& plan, std::string_view key, std::string_view value) {
    const bool plain = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
    *plan.presort.*Member = plain ? parse_count(key, value) : parse_bytes(key, value);
  }
};

template <class Access>
constexpr PlanKey row(std::string_view key, PlanKeyNeeds needs, const Range& range = {}) {
  return {key, needs, Access::get, Access::set, range};
}

// Far beyond what any plan has, so that nothing that is computed of them overflows.
constexpr Range kBits = {RangeUnit::count, 0, 64};
constexpr Range kNumber = {RangeUnit::count, 0, 65536};

using enum PlanKeyNeeds;

bool is_plain_loop(const Plan& plan) {
  return !plan.presort && plan.base.n_sets == 1 && plan.base.prefetch_distance == 0;
}

constexpr PlanKey kRows[] = {
    {"sortBits", nothing, get_sort_bits, set_sort_bits, kBits},
    row<Int<kPresort, &Presort::passes>>("passes", presort, kBits),
    row<Bytes<&Presort::buffer_bytes>>("bufferBytes", bufferedPresort),
    row<Name<kPresort, &Presort::layout, kLayouts>>("layout", bufferedPresort),
    row<Name<kPresort, &Presort::streaming, kTruths>>("streaming", bufferedPresort),
    row<Bytes<&Presort::chunk_bytes>>("chunkBytes", bufferedPresort),
    row<Name<kBase, &Base::strategy, kStrategies>>("strategy", nothing),
    row<Int<kBase, &Base::range_passes>>("rangePasses", nothing, kNumber),
    row<Int<kBase, &Base::n_sets>>("nSets", nothing, kNumber),
    row<Int<kBase, &Base::prefetch_distance>>("prefetchDistance", cpu, kNumber),
    row<Int<kBase, &Base::input_distance>>("inputDistance", plainLoop, kNumber),
    row<Int<kResources, &Resources::threads>>("threads", cpu, kNumber),
    row<Name<kResources, &Resources::page_size, kPageSizes>>("pageSize", cpu),
    row<Name<kResources, &Resources::isa, kIsas>>("isa", cpu),
};

}  // namespace

std::span<const PlanKey> plan_keys() {
  return kRows;
}

const PlanKey* find_plan_key(std::string_view key) {
  for (const PlanKey& row : kRows) {
    if (row.key == key) {
      return &row;
    }
  }
  return nullptr;
}

std::vector<std::string> plan_key_names() {
  std::vector<std::string> names;
  for (const PlanKey& row : kRows) {
    names.emplace_back(row.key);
  }
  return names;
}

bool is_left_out(const PlanKey& row, const Plan& plan) {
  return row.key == "chunkBytes" && plan.presort->chunk_bytes == 0;
}

const char* why_without_meaning(const PlanKey& row, const Plan& plan) {
  const bool of_gpu = row.needs == nothing || row.needs == presort;
  if (!of_gpu && runs_on_gpu(plan.base.strategy)) {
    return "with a strategy of device cpu";
  }
  if (row.needs == plainLoop) {
    return is_plain_loop(plan) ? nullptr
                               : "without sortBits, nSets and prefetchDistance, which decide it";
  }
  if ((row.needs == presort || row.needs == bufferedPresort) && !plan.presort) {
    return "with a pre-sort (sortBits of at least 1)";
  }
  if (row.needs == bufferedPresort && plan.base.strategy == Strategy::plainRadix) {
    return "without strategy=plainRadix, which has no buffers";
  }
  return nullptr;
}

}  // namespace presort
