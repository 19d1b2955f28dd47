#include "presort/core/machine/replacement.h"

#include <doctest/doctest.h>

#include "tests/core/machine/policy_names.h"
#include "tests/core/refusal.h"

namespace presort::inline v0::replacement_test {
namespace {

TEST_CASE("every policy is read from its name and gives it back") {
  for (const std::string& name : test::all_policy_names()) {
    CHECK(to_string(parse_replacement("policy", name)) == name);
  }
}

TEST_CASE("the parts of a QLRU name are kept apart") {
  const Replacement policy = parse_replacement("policy", "QLRU_H21_MR31_R1_U3_UMO");
  CHECK(policy.kind == ReplacementKind::qlru);
  CHECK(policy.qlru.hit_at_3 == 2);
  CHECK(policy.qlru.hit_at_2 == 1);
  CHECK(policy.qlru.insert == 3);
  CHECK(policy.qlru.rare_insert == 1);
  CHECK(policy.qlru.replace == 1);
  CHECK(policy.qlru.update == 3);
  CHECK(policy.qlru.update_on_miss_only);
}

TEST_CASE("a name that is no policy is refused with what is accepted") {
  struct Case {
    std::string text;
    std::string message;
  };
  std::string accepted = "accepted: ";
  for (const auto& [name, kind] : kReplacements) {
    if (kind != ReplacementKind::qlru) {
      accepted += std::string(name) + ", ";
    }
  }
  accepted += "QLRU_Hxy_Mx_Rx_Ux[_UMO]";
  const Case cases[] = {
      {"", "policy: found '', " + accepted},
      {"LRU", "policy: found 'LRU', " + accepted + " (did you mean 'lru'?)"},
      {"QLRU", "policy: found 'QLRU', accepted: QLRU_Hxy_Mx_Rx_Ux[_UMO]"},
      {"drip", "policy: found 'drip', " + accepted + " (did you mean 'drrip'?)"},
      {"QLRU_H00_M1_R0", "policy: found 'QLRU_H00_M1_R0', accepted: QLRU_Hxy_Mx_Rx_Ux[_UMO]"},
      {"QLRU_H01_M1_R0_U0",
       "policy: part of 'QLRU_H01_M1_R0_U0': found 'H01', accepted: H00, H10, H11, H20, H21 (did "
       "you mean 'H00'?)"},
      {"QLRU_H00_M1_R0_U0_", "policy: part of 'QLRU_H00_M1_R0_U0_': found '', accepted: UMO"},
      {"QLRU_H00_M1_R0_U0_UMO_UMO",
       "policy: found 'QLRU_H00_M1_R0_U0_UMO_UMO', accepted: QLRU_Hxy_Mx_Rx_Ux[_UMO]"},
      {"QLRU_H00_M1_R0_U2",
       "policy: found 'QLRU_H00_M1_R0_U2', accepted: U2 and U3 with R1 only, they may leave no "
       "line of age 3"},
  };
  for (const Case& bad : cases) {
    CHECK(test::refusal<InputError>([&] { parse_replacement("policy", bad.text); }) == bad.message);
  }
}

}  // namespace
}  // namespace presort::replacement_test
