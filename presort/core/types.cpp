#include "presort/core/types.h"

namespace presort::inline v0 {
namespace {

constexpr Named<ScalarType> kLabelTypes[] = {{"u32", ScalarType::u32},
                                             {"u64", ScalarType::u64},
                                             {"u8", ScalarType::u8},
                                             {"u16", ScalarType::u16}};
constexpr Named<ScalarType> kValueTypes[] = {
    {"u32", ScalarType::u32}, {"u64", ScalarType::u64}, {"i32", ScalarType::i32},
    {"i64", ScalarType::i64}, {"f32", ScalarType::f32}, {"f64", ScalarType::f64},
};

}  // namespace

Types parse_types(std::string_view key, std::string_view text) {
  Types types;
  const size_t plus = text.find('+');
  if (plus != std::string_view::npos) {
    types.label = from_name(kLabelTypes, std::string(key) + " (label)", text.substr(0, plus));
    text.remove_prefix(plus + 1);
  }
  types.value = from_name(kValueTypes, std::string(key) + " (value)", text);
  return types;
}

std::string to_string(const Types& types) {
  return to_name(kScalarTypes, types.label) + "+" + to_name(kScalarTypes, types.value);
}

}  // namespace presort
