// Tests the points of a campaign against nested loops, and CSV and rows against what was put in.
#include "presort/app/campaign/points.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "presort/app/campaign/csv.h"
#include "presort/app/campaign/point_work.h"
#include "presort/app/cli/problem_options.h"
#include "presort/io/machine/machine_file.h"
#include "presort/tuner/tuner.h"
#include "tests/property_seed.h"

namespace presort::app::campaign::points_test {

namespace {

template <class T>
std::vector<T> some(std::mt19937_64& random, const std::vector<T>& all) {
  return {all.begin(), all.begin() + 1 + static_cast<std::ptrdiff_t>(random() % all.size())};
}

io::Campaign random_campaign(std::mt19937_64& random) {
  io::Campaign campaign;
  campaign.machines = some<std::string>(random, {"x", "y", "z"});
  if (random() % 2 == 0) {
    campaign.set.push_back({"memory.latency", some<std::string>(random, {"80ns", "90ns"})});
  }
  campaign.operations = some(random, std::vector{Operation::multireduce, Operation::gather});
  campaign.seeds = some<uint64_t>(random, {1, 2});
  campaign.n = some<uint64_t>(random, {1024, 4096});
  campaign.m = some<uint64_t>(random, {16, 64, 256});
  if (random() % 2 == 0) {
    campaign.mode = io::CampaignMode::predict;
    campaign.plans = some(random, std::vector{CpuPlan{}, parse_cpu_plan("sortBits=4")});
  }
  return campaign;
}

}  // namespace

TEST_CASE("point i is the i-th of nested loops over all values") {
  std::mt19937_64 random(presort::test::property_seed());
  for (int i = 0; i < 200; ++i) {
    const io::Campaign campaign = random_campaign(random);
    const Points points(campaign);
    uint64_t point = 0;
    uint64_t variant = 0;
    const size_t latencies = campaign.set.empty() ? 1 : campaign.set[0].values.size();
    for (size_t machine = 0; machine < campaign.machines.size(); ++machine) {
      for (size_t latency = 0; latency < latencies; ++latency, ++variant) {
        for (const Operation operation : campaign.operations) {
          for (const uint64_t seed : campaign.seeds) {
            for (const uint64_t n : campaign.n) {
              for (const uint64_t m : campaign.m) {
                for (size_t plan = 0; plan < std::max<size_t>(campaign.plans.size(), 1); ++plan) {
                  const std::vector<size_t> indices = points.indices(point);
                  CHECK(points.number(indices) == point);
                  CHECK(points.variant(point) == variant);
                  CHECK(indices[0] == machine);
                  CHECK((campaign.set.empty() || indices[1] == latency));
                  CHECK(points.problem(indices) == Problem{.operation = operation,
                                                           .n = n,
                                                           .m = m,
                                                           .distribution = {},
                                                           .types = {},
                                                           .seed = seed});
                  CHECK(points.plan(indices) ==
                        (campaign.plans.empty() ? nullptr : &points.campaign().plans[plan]));
                  ++point;
                }
              }
            }
          }
        }
      }
    }
    CHECK(points.size() == point);
  }
}

TEST_CASE("a row is the prediction of its point, whatever was computed before") {
  const std::vector<Machine> machines = {
      io::read_machine(PRESORT_SOURCE_DIR "/tests/app/data/machine.yaml")};
  io::Campaign campaign;
  campaign.mode = io::CampaignMode::predict;
  campaign.machines = {"machine.yaml"};
  campaign.set = {{"memory.latency", {"80ns", "160ns", "oops"}}};
  campaign.n = {1 << 20};
  campaign.m = {1 << 10, 1 << 16};
  campaign.plans = {CpuPlan{}, parse_cpu_plan("sortBits=8"), parse_cpu_plan("sortBits=12")};
  const Points points(campaign);
  PointWork rising(points, machines, {});
  PointWork falling(points, machines, {});
  std::vector<io::CampaignRow> rows;
  for (uint64_t i = 0; i < points.size(); ++i) {
    rows.push_back(rising.row(i));
  }
  for (uint64_t i = points.size(); i-- > 0;) {
    CHECK(falling.row(i) == rows[i]);
  }
  for (uint64_t i = 0; i < points.size(); ++i) {
    const std::vector<size_t> at = points.indices(i);
    if (at[1] == 2) {
      CHECK(rows[i].why_not.find("memory.latency") != std::string::npos);
      CHECK(!rows[i].direct_ns);
    } else if (!can_run(*points.plan(at), points.problem(at))) {
      CHECK(!rows[i].why_not.empty());
    } else {
      Machine machine = machines[0];
      machine.memory.latency_ns = at[1] == 0 ? 80 : 160;
      const Problem problem = points.problem(at);
      const Prediction alone = tuner::Predictors(machine).model.predict(problem, *points.plan(at),
                                                                        problem_labels(problem));
      CHECK(rows[i].why_not.empty());
      CHECK((at.back() == 0 ? rows[i].direct_ns : rows[i].presorted_ns) == alone.ns_per_input);
      CHECK(!(at.back() == 0 ? rows[i].presorted_ns : rows[i].direct_ns));
    }
  }
}

TEST_CASE("CSV has a line for each row, and quotes what needs it") {
  io::Campaign campaign;
  campaign.machines = {"a,b"};
  campaign.n = {8};
  campaign.m = {1, 2};
  const Points points(campaign);
  const std::vector<io::CampaignRow> rows = {{0, 2.0, 0.5, "sortBits=9", ""},
                                             {1, {}, 3.0, "", "a \"word\""}};
  std::string text;
  write_csv(points, rows, [&](std::string_view part) { text += part; });
  CHECK(text ==
        "point,machine,op,types,dist,seed,n,m,direct_ns,presorted_ns,gain,plan,why_not\n"
        "0,\"a,b\",multireduce,u32+u32,uniform,1,8,1,2,0.5,4,sortBits=9,\n"
        "1,\"a,b\",multireduce,u32+u32,uniform,1,8,2,,3,,,\"a \"\"word\"\"\"\n");
}

}  // namespace presort::app::campaign::points_test
