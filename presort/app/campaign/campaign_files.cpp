#include "presort/app/campaign/campaign_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

#include "presort/app/campaign/point_work.h"
#include "presort/app/campaign/ranks.h"
#include "presort/core/error.h"
#include "presort/io/json/machine_json.h"

namespace presort::inline v0::app::campaign {
namespace {

// FNV-1a of 64 bits.
std::string hash_text(std::string_view text) {
  uint64_t hash = 14695981039346656037U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return fmt::format("{:016x}", hash);
}

// Values are shown in messages where they are few.
std::string values_text(const std::vector<std::string>& values) {
  const std::string text = fmt::format("{}", fmt::join(values, ", "));
  constexpr size_t kLongest = 100;
  return text.size() <= kLongest ? text
                                 : fmt::format("{} values {}", values.size(), hash_text(text));
}

std::string without_yaml(const std::string& path) {
  const std::filesystem::path name(path);
  const auto ending = name.extension();
  return ending == ".yaml" || ending == ".yml"
             ? path.substr(0, path.size() - ending.native().size())
             : path;
}

void read_rows(const Opened& campaign,
               const std::function<void(const std::string& path, io::CampaignRow&&)>& take) {
  for (const std::string& path : io::journal_paths(journal_folder(campaign.path))) {
    io::read_journal(path, campaign.identity, [&](io::CampaignRow&& row) {
      if (row.point >= campaign.points.size()) {
        throw InputError(fmt::format("{}: point: found {}, accepted: below {}", path, row.point,
                                     campaign.points.size()));
      }
      take(path, std::move(row));
    });
  }
}

}  // namespace

io::Identity identity_of(const Points& points, const std::vector<Machine>& machines,
                         const std::string& build) {
  io::Identity identity = {{"presort", build},
                           {"mode", to_name(io::kCampaignModes, points.campaign().mode)}};
  for (const Axis& axis : points.axes()) {
    identity.emplace_back(axis.name, values_text(axis.values));
  }
  for (size_t i = 0; i < machines.size(); ++i) {
    for (const auto& [key, value] : io::machine_values(machines[i])) {
      identity.emplace_back("machine " + points.campaign().machines[i] + ": " + key, value);
    }
  }
  return identity;
}

Opened open_campaign(const std::string& path) {
  Points points(io::read_campaign(path));
  std::vector<Machine> machines = load_machines(points.campaign());
  check_set_keys(path, points, machines);
  io::Identity identity = identity_of(points, machines, program().build);
  return {path, std::move(points), std::move(machines), std::move(identity)};
}

std::string journal_folder(const std::string& campaign_path) {
  return without_yaml(campaign_path) + ".journals";
}

std::string store_path(const std::string& campaign_path) {
  return without_yaml(campaign_path) + ".sqlite";
}

std::string journal_path(const std::string& campaign_path, const Shard& shard, int rank) {
  const std::string part =
      shard.count == 1 ? "" : fmt::format("shard-{}-of-{}.", shard.index, shard.count);
  return fmt::format("{}/{}rank-{:05}.journal", journal_folder(campaign_path), part, rank);
}

std::vector<uint64_t> finished_points(const Opened& campaign) {
  std::vector<uint64_t> points;
  read_rows(campaign,
            [&](const std::string&, io::CampaignRow&& row) { points.push_back(row.point); });
  return points;
}

std::vector<io::CampaignRow> finished_rows(const Opened& campaign) {
  std::vector<io::CampaignRow> rows;
  read_rows(campaign,
            [&](const std::string&, io::CampaignRow&& row) { rows.push_back(std::move(row)); });
  const auto by_point = [](const io::CampaignRow& a, const io::CampaignRow& b) {
    return a.point < b.point;
  };
  std::stable_sort(rows.begin(), rows.end(), by_point);
  // Runs of a point that two ranks have timed differ: the first row stays.
  const auto same_but_runs = [](io::CampaignRow a, const io::CampaignRow& b) {
    a.measured_ns = b.measured_ns;
    return a == b;
  };
  for (size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].point == rows[i - 1].point && !same_but_runs(rows[i], rows[i - 1])) {
      throw InputError(fmt::format(
          "{}: found two different rows of point {}, accepted: journals of one campaign",
          journal_folder(campaign.path), rows[i].point));
    }
  }
  rows.erase(std::unique(rows.begin(), rows.end(), same_but_runs), rows.end());
  return rows;
}

}  // namespace presort::app::campaign
