// Which line a full set gives up: the replacement policies and their names in files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/text/names.h"

namespace presort::inline v0 {

// A quad-age LRU policy, by the parts of its name QLRU_Hxy_Mx_Rx_Ux[_UMO]. Each line has an age
// from 0 to 3.
// Source: Abel and Reineke, "nanoBench: a low-overhead tool for running microbenchmarks on x86
//         systems", ISPASS 2020, section VI-B.
struct QlruParts {
  uint8_t hit_at_3 = 0;     // part Hxy of the name: a hit changes age 3 to x
  uint8_t hit_at_2 = 0;     // part Hxy of the name: a hit changes age 2 to y, ages 1 and 0 to 0
  uint8_t insert = 1;       // part Mx of the name: a new line has age x
  uint8_t rare_insert = 1;  // part MRxy of the name: a new line has age x, but y in one of 16 cases
  uint8_t replace = 0;      // part R0, R1 or R2 of the name: see sim/cache/policies/qlru.h
  uint8_t update = 0;       // part U0 … U3 of the name: how lines age when none is of age 3
  // Part UMO of the name: lines age before a miss is served, not after each access
  bool update_on_miss_only = false;
  bool operator==(const QlruParts&) const = default;
};

enum class ReplacementKind { lru, treePlru, bitPlru, nru, fifo, random, srrip, brrip, drrip, qlru };

inline constexpr Named<ReplacementKind> kReplacements[] = {
    {"lru", ReplacementKind::lru},
    {"tree-plru", ReplacementKind::treePlru},
    {"bit-plru", ReplacementKind::bitPlru},
    {"nru", ReplacementKind::nru},
    {"fifo", ReplacementKind::fifo},
    {"random", ReplacementKind::random},
    {"srrip", ReplacementKind::srrip},
    {"brrip", ReplacementKind::brrip},
    {"drrip", ReplacementKind::drrip},
    {"QLRU", ReplacementKind::qlru},  // name in files: "QLRU" and the parts that follow it
};

struct Replacement {
  ReplacementKind kind = ReplacementKind::lru;
  QlruParts qlru;  // parts of a QLRU policy's name; other kinds ignore them

  constexpr Replacement() = default;
  constexpr Replacement(ReplacementKind k) : kind(k) {}  // NOLINT: a kind stands for a policy
  constexpr Replacement(const QlruParts& parts) : kind(ReplacementKind::qlru), qlru(parts) {}

  static const Replacement lru;
  static const Replacement random;
  bool operator==(const Replacement&) const = default;
};
inline constexpr Replacement Replacement::lru{ReplacementKind::lru};
inline constexpr Replacement Replacement::random{ReplacementKind::random};

// Reads the name of a policy: "lru", "tree-plru", …, "QLRU_H11_M1_R0_U0", "QLRU_H21_M2_R0_U0_UMO".
// Errors: InputError naming `key`, what was found and what is accepted.
Replacement parse_replacement(std::string_view key, std::string_view text);
std::string to_string(const Replacement& policy);

// Every replacement policy in one text for error messages; the QLRU variants appear as one pattern.
std::vector<std::string> replacement_names();

}  // namespace presort
