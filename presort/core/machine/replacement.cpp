#include "presort/core/machine/replacement.h"

#include "presort/core/error.h"

namespace presort::inline v0 {
namespace {

constexpr std::string_view kQlruPattern = "QLRU_Hxy_Mx_Rx_Ux[_UMO]";

struct HitAges {
  uint8_t at_3;
  uint8_t at_2;
  bool operator==(const HitAges&) const = default;
};
constexpr Named<HitAges> kHitParts[] = {
    {"H00", {0, 0}}, {"H10", {1, 0}}, {"H11", {1, 1}}, {"H20", {2, 0}}, {"H21", {2, 1}}};

struct InsertAges {
  uint8_t usual;
  uint8_t rare;
  bool operator==(const InsertAges&) const = default;
};
constexpr Named<InsertAges> kInsertParts[] = {
    {"M0", {0, 0}},   {"M1", {1, 1}},   {"M2", {2, 2}},   {"M3", {3, 3}},   {"MR32", {3, 2}},
    {"MR31", {3, 1}}, {"MR30", {3, 0}}, {"MR21", {2, 1}}, {"MR20", {2, 0}}, {"MR10", {1, 0}}};

constexpr Named<uint8_t> kReplaceParts[] = {{"R0", 0}, {"R1", 1}, {"R2", 2}};
constexpr Named<uint8_t> kUpdateParts[] = {{"U0", 0}, {"U1", 1}, {"U2", 2}, {"U3", 3}};
constexpr Named<bool> kWhenParts[] = {{"UMO", true}};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t end = text.find('_'); end != std::string_view::npos; end = text.find('_', begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

template <class T, size_t N>
T part(const Named<T> (&table)[N], std::string_view key, std::string_view text,
       std::string_view found) {
  return from_name(table, std::string(key) + ": part of " + quoted_text(text), found);
}

QlruParts parse_qlru(std::string_view key, std::string_view text) {
  const std::vector<std::string_view> parts = split(text);
  if (parts.size() != 5 && parts.size() != 6) {
    throw InputError(std::string(key) + ": found " + quoted_text(text) +
                     ", accepted: " + std::string(kQlruPattern));
  }
  const HitAges hit = part(kHitParts, key, text, parts[1]);
  const InsertAges insert = part(kInsertParts, key, text, parts[2]);
  QlruParts qlru{hit.at_3,
                 hit.at_2,
                 insert.usual,
                 insert.rare,
                 part(kReplaceParts, key, text, parts[3]),
                 part(kUpdateParts, key, text, parts[4])};
  if (parts.size() == 6) {
    qlru.update_on_miss_only = part(kWhenParts, key, text, parts[5]);
  }
  if (qlru.update >= 2 && qlru.replace != 1) {
    throw InputError(std::string(key) + ": found " + quoted_text(text) +
                     ", accepted: U2 and U3 with R1 only, they may leave no line of age 3");
  }
  return qlru;
}

}  // namespace

Replacement parse_replacement(std::string_view key, std::string_view text) {
  if (text.starts_with("QLRU")) {
    return parse_qlru(key, text);
  }
  for (const Named<ReplacementKind>& row : kReplacements) {
    if (row.name == text && row.value != ReplacementKind::qlru) {
      return row.value;
    }
  }
  throw InputError(unknown_name_message(key, text, replacement_names()));
}

std::string to_string(const Replacement& policy) {
  if (policy.kind != ReplacementKind::qlru) {
    return to_name(kReplacements, policy.kind);
  }
  const QlruParts& parts = policy.qlru;
  return "QLRU_" + to_name(kHitParts, {parts.hit_at_3, parts.hit_at_2}) + "_" +
         to_name(kInsertParts, {parts.insert, parts.rare_insert}) + "_" +
         to_name(kReplaceParts, parts.replace) + "_" + to_name(kUpdateParts, parts.update) +
         (parts.update_on_miss_only ? "_UMO" : "");
}

std::vector<std::string> replacement_names() {
  std::vector<std::string> names = accepted_names(kReplacements);
  names.back() = kQlruPattern;
  return names;
}

}  // namespace presort
