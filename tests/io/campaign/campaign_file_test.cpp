// Tests what campaign files are read to, and what is refused, with its place.
#include "presort/io/campaign/campaign_file.h"

#include <doctest/doctest.h>

#include <string>

#include "presort/core/error.h"

namespace presort::io::campaign_file_test {

namespace {

const std::string kHead = "presort: campaign/1\nmachines: [a]\n";

Campaign parsed(const std::string& text) {
  return parse_campaign(text, "c.yaml");
}

std::string error_of(const std::string& text) {
  try {
    parsed(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a campaign has the values of its file, and defaults") {
  const Campaign campaign = parsed(
      "presort: campaign/1\nmode: predict\nmachines: [a, b.yaml]\n"
      "set: {memory.latency: [80ns, 90ns], cpu.clock: 2GHz}\n"
      "problems: {op: [gather, scatter], n: 2^20, m: [2^10, 1000], dist: \"zipf:1\", seed: [1, "
      "2]}\n"
      "plans: [{sortBits: 0}, {sortBits: 9}]\n");
  CHECK(campaign.mode == CampaignMode::predict);
  CHECK(campaign.machines == std::vector<std::string>{"a", "b.yaml"});
  CHECK(campaign.set ==
        std::vector<SetAxis>{{"memory.latency", {"80ns", "90ns"}}, {"cpu.clock", {"2GHz"}}});
  CHECK(campaign.operations == std::vector{Operation::gather, Operation::scatter});
  CHECK(campaign.types == std::vector{Types{}});
  CHECK(campaign.n == std::vector<uint64_t>{1 << 20});
  CHECK(campaign.m == std::vector<uint64_t>{1 << 10, 1000});
  CHECK(campaign.seeds == std::vector<uint64_t>{1, 2});
  CHECK(campaign.plans.size() == 2);
  CHECK(parsed(kHead + "problems: {n: 1, m: 1}").mode == CampaignMode::tune);
}

TEST_CASE("a range has values at equal distances, or each a factor above the one before") {
  const Campaign campaign =
      parsed(kHead +
             "set:\n  a: {from: 1, to: 2, count: 5, unit: ns}\n  b: {from: 0, to: 0.5, count: 2}\n"
             "problems: {n: {from: 2^10, to: 2^14, factor: 4}, m: {from: 3, to: 20, factor: 2}}");
  CHECK(campaign.set[0].values ==
        std::vector<std::string>{"1ns", "1.25ns", "1.5ns", "1.75ns", "2ns"});
  CHECK(campaign.set[1].values == std::vector<std::string>{"0", "0.5"});
  CHECK(campaign.n == std::vector<uint64_t>{1 << 10, 1 << 12, 1 << 14});
  CHECK(campaign.m == std::vector<uint64_t>{3, 6, 12});
}

TEST_CASE("what is wrong is refused with file, line and key") {
  const std::string problems = "problems: {n: 1, m: 1}\n";
  const struct {
    std::string text, error;
  } cases[] = {
      {"presort: campaign/2\n", "c.yaml:1:10: presort"},
      {"presort: campaign/1\n" + problems, "machines"},
      {kHead, "problems"},
      {kHead + "problems: {n: 1}\n", "problems.m"},
      {kHead + problems + "plots: 1\n", "c.yaml:4:1: plots"},
      {kHead + "problems: {n: 1, m: [1, 0]}\n", "c.yaml:3:25: problems.m[1]: found '0'"},
      {kHead + "problems: {n: 1, m: [1, 1]}\n", "problems.m: found '1' twice"},
      {kHead + "problems: {n: 1, m: []}\n", "problems.m"},
      {kHead + "problems: {n: 1, m: 1, dist: \"file:x.u32\"}\n", "problems.dist"},
      {kHead + "problems: {n: 1, m: 1, op: reduceAxes}\n", "problems.op"},
      {kHead + "problems: {n: 1, m: 1, shape: 1x1}\n", "problems.shape"},
      {kHead + problems + "mode: guess\n",
       "mode: found 'guess', accepted: tune, predict, simulate, validate"},
      {kHead + problems + "mode: predict\n", "mode: found without plans"},
      {kHead + problems + "plans: [{sortBits: 9}]\n", "plans: found with mode: tune"},
      {kHead + problems + "mode: predict\nplans: []\n", "plans"},
      {kHead + problems + "set: {plan.threads: [1]}\n", "set.plan.threads"},
      {kHead + problems + "set: {a: {from: 2, to: 1, count: 2}}\n", "set.a.to"},
      {kHead + problems + "set: {a: {from: 1, to: 2}}\n", "set.a: found neither"},
      {kHead + problems + "set: {a: {from: 1, to: 2, count: 2, factor: 2}}\n", "count and factor"},
      {kHead + problems + "set: {a: {from: 1, to: 2, factor: 1}}\n", "set.a.factor"},
      {kHead + problems + "set: {a: {from: 1, to: 2, count: 1}}\n", "set.a.count"},
      {kHead + problems + "set: {a: {from: 1, to: 1e300, factor: 1.0001}}\n", "100000 values"},
      {kHead + "problems: {n: {from: 1, to: 99999, count: 99999}, m: {from: 1, to: 99999, count: "
               "99999}, seed: {from: 1, to: 999, count: 999}}\n",
       "2^40"},
  };
  for (const auto& [text, error] : cases) {
    CHECK_MESSAGE(error_of(text).find(error) != std::string::npos,
                  text << " -> " << error_of(text));
  }
}

TEST_CASE("the page of keys names every key") {
  const std::string page = campaign_keys_text();
  for (const auto keys : {campaign_keys(), campaign_problem_keys(), campaign_range_keys()}) {
    for (const FileKey& key : keys) {
      CHECK(page.find("| `" + std::string(key.key) + "` |") != std::string::npos);
    }
  }
}

}  // namespace presort::io::campaign_file_test
