// Campaign files, `presort: campaign/1`: a large set of points as lists of values. The points are
// all combinations of the values (app/campaign/points.h).
//   presort: campaign/1
//   mode: tune
//   machines: [rome-7742]
//   set:
//     cpu.caches.L2.size: [512KiB, 1MiB]
//     memory.latency: {from: 80, to: 120, count: 5, unit: ns}
//   problems: {n: [2^26], m: {from: 2^10, to: 2^28, factor: 4}}
// Errors: InputError "FILE:LINE:COLUMN: KEY.PATH: found …, accepted: …"
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/io/reference/file_formats.h"

namespace presort::inline v0::io {

// The kinds of result that a campaign computes for each point.
enum class CampaignMode {
  tune,      // tune: the best plan, and the times of the best with and without a pre-sort
  predict,   // predict: the time of a plan in closed form
  simulate,  // simulate: the time of a plan by simulation
  validate,  // validate: the time of a plan by simulation, and of its runs on this machine
};
inline constexpr Named<CampaignMode> kCampaignModes[] = {
    {"tune", CampaignMode::tune},
    {"predict", CampaignMode::predict},
    {"simulate", CampaignMode::simulate},
    {"validate", CampaignMode::validate},
};

// A key of machine files and the values that it is set to.
struct SetAxis {
  std::string key;                  // "cpu.caches.L2.size"
  std::vector<std::string> values;  // at least one, all different
  bool operator==(const SetAxis&) const = default;
};

// A campaign: lists of values, each with at least one item. `plans` is empty in mode tune.
struct Campaign {
  CampaignMode mode = CampaignMode::tune;
  std::vector<std::string> machines;  // names or paths of machine files
  std::vector<SetAxis> set;
  std::vector<Operation> operations = {Operation::multireduce};
  std::vector<Types> types = {Types{}};
  std::vector<Distribution> distributions = {Distribution{}};
  std::vector<uint64_t> seeds = {1};
  std::vector<uint64_t> n;
  std::vector<uint64_t> m;
  std::vector<CpuPlan> plans;
  bool operator==(const Campaign&) const = default;
};

// Most values of one key, and most points of a campaign
inline constexpr uint64_t kMostCampaignValues = 100'000;
inline constexpr uint64_t kMostCampaignPoints = uint64_t{1} << 40;

Campaign read_campaign(const std::string& path);
Campaign parse_campaign(const std::string& text, const std::string& file);

// Documentation of the keys: of the file, and of its maps `problems` and of a range of values. The
// reader takes its keys from the rows of these tables.
std::span<const FileKey> campaign_keys();
std::span<const FileKey> campaign_problem_keys();
std::span<const FileKey> campaign_range_keys();

// The page docs/reference/campaign-keys.md.
std::string campaign_keys_text();

}  // namespace presort::io
