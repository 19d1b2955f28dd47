// The key sortBits of CPU and GPU plans, the bits that a pre-sort sorts by; 0 means no pre-sort.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "presort/core/fields/field_text.h"
#include "presort/core/fields/rows.h"

namespace presort::inline v0::fields {

// Numbers of bits that plan keys accept when they are read: far beyond any real plan, so that
// nothing computed from them overflows.
inline constexpr Range kPlanBits = whole(0, 64);
inline constexpr Range kPlanNumber = whole(0, 65536);

template <class Plan>
struct SortBits {
  using Presort = typename decltype(Plan::presort)::value_type;

  static std::string get(const void* plan) {
    const auto& presort = static_cast<const Plan*>(plan)->presort;
    return std::to_string(presort ? presort->sort_bits : 0);
  }

  static void set(void* object, std::string_view key, std::string_view text) {
    Plan& plan = *static_cast<Plan*>(object);
    Presort presort = plan.presort.value_or(Presort{});
    assign_text(number<&Presort::sort_bits>("sortBits", kPlanBits, stated, ""), &presort, key, text,
                0);
    plan.presort = presort.sort_bits == 0 ? std::nullopt : std::optional(presort);
  }
};

template <class Plan>
constexpr Field sort_bits_row() {
  return {"sortBits",
          TextAccess{SortBits<Plan>::get, SortBits<Plan>::set, nullptr, JsonValue::count},
          stated,
          "pre-sort by so many top bits of the label, at most those of the largest label: into "
          "2^sortBits parts; 0: no pre-sort",
          kPlanBits,
          {.default_text = "0"}};
}

// A plan that has every key that any plan can have, those of a pre-sort included.
template <class Plan>
const void* plan_with_presort() {
  static const Plan plan = [] {
    Plan with;
    with.presort.emplace();
    return with;
  }();
  return &plan;
}

}  // namespace presort::fields
