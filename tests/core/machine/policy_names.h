// Names of replacement policies, for tests.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "presort/core/machine/replacement.h"

namespace presort::inline v0::test {

inline std::vector<std::string> all_qlru_names() {
  std::vector<std::string> names;
  for (const char* hit : {"H00", "H10", "H11", "H20", "H21"}) {
    for (const char* insert :
         {"M0", "M1", "M2", "M3", "MR32", "MR31", "MR30", "MR21", "MR20", "MR10"}) {
      for (const char* rest :
           {"R0_U0", "R0_U1", "R1_U0", "R1_U1", "R1_U2", "R1_U3", "R2_U0", "R2_U1"}) {
        for (const char* when : {"", "_UMO"}) {
          names.push_back(std::string("QLRU_") + hit + "_" + insert + "_" + rest + when);
        }
      }
    }
  }
  return names;
}

inline std::vector<std::string> all_policy_names() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kReplacements) {
    if (kind != ReplacementKind::qlru) {
      names.emplace_back(name);
    }
  }
  const std::vector<std::string> qlru = all_qlru_names();
  names.insert(names.end(), qlru.begin(), qlru.end());
  return names;
}

// Draws the name of a replacement policy, each family equally often.
inline std::string random_policy() {
  const std::vector<std::string> names = all_policy_names();
  const size_t plain = names.size() - all_qlru_names().size();
  const auto family = *rc::gen::inRange<size_t>(0, plain + 1);
  return family < plain ? names[family] : names[*rc::gen::inRange<size_t>(plain, names.size())];
}

}  // namespace presort::test
