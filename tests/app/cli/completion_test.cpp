// Tests the candidates that the shell is offered for the last word of a command line.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "presort/app/cli/subcommands.h"
#include "presort/app/completion/candidates.h"
#include "presort/app/completion/scripts.h"
#include "presort/core/error.h"
#include "presort/core/plan/plan_keys.h"

namespace completion_test {

using namespace presort;
using namespace presort::app;

namespace {

std::vector<std::string> offered(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  for (const Candidate& candidate : complete(words).candidates) {
    result.push_back(candidate.word);
  }
  return result;
}

bool offers(const std::vector<std::string>& words, const std::string& word) {
  const std::vector<std::string> all = offered(words);
  return std::find(all.begin(), all.end(), word) != all.end();
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the first word is a subcommand") {
  CHECK(offered({}).size() == subcommands().size() + 3);
  CHECK(offered({""}) == offered({}));
  CHECK(offered({"si"}) == Texts{"simulate"});
  CHECK(offered({"ver"}) == Texts{"version"});
  CHECK(offered({"nothing"}).empty());
  CHECK(offered({"nothing", ""}).empty());
}

TEST_CASE("every option of every subcommand is offered") {
  for (const Subcommand& subcommand : subcommands()) {
    for (const Option& option : subcommand.line().options) {
      CHECK_MESSAGE(offers({subcommand.name, ""}, shown_name(option)), subcommand.name);
      CHECK_MESSAGE(offers({subcommand.name, "--json", "-"}, shown_name(option)), subcommand.name);
    }
  }
  CHECK(offered({"simulate", "--mrc-"}) == Texts{"--mrc-rate"});
}

TEST_CASE("it is known what the value of each option is") {
  for (const Subcommand& subcommand : subcommands()) {
    for (const Option& option : subcommand.line().options) {
      CHECK_MESSAGE(knows_values_of(option), subcommand.name << " " << shown_name(option));
    }
  }
}

TEST_CASE("names, lists of names, attached values") {
  CHECK(offered({"run", "--op", "ga"}) == Texts{"gather"});
  CHECK(offered({"run", "--op=ga"}) == Texts{"--op=gather"});
  CHECK(offered({"tune", "--op", "scatter,ga"}) == Texts{"scatter,gather"});
  // --op takes one operation only, so none follows a comma
  CHECK(offered({"run", "--op", "scatter,ga"}).empty());
  CHECK(offered({"run", "--type", "u64+f"}) == Texts{"u64+f32", "u64+f64"});
  CHECK(offered({"run", "--dist", "zipf"}) == Texts{"zipf:", "zipf-contiguous:"});
  CHECK(offered({"tune", "--page-size", ""}) == Texts{"4KiB", "2MiB", "both"});
  CHECK(offered({"run", "-n", ""}).empty());
}

TEST_CASE("keys of a plan and their values") {
  for (const Field& row : fields::kCpuPlan.rows) {
    CHECK(offers({"run", "--plan", ""}, std::string(row.key) + "="));
  }
  for (const Field& row : fields::kGpuPlan.rows) {
    CHECK(offers({"run", "--device", "gpu", "--plan", ""}, std::string(row.key) + "="));
    CHECK(offers({"run", "--device=gpu", "--plan", ""}, std::string(row.key) + "="));
  }
  CHECK(offered({"run", "--plan", "sortBits=9,pas"}) == Texts{"sortBits=9,passes="});
  CHECK(offers({"run", "--plan", "sortBits=9,pageSize=2"}, "sortBits=9,pageSize=2MiB"));
  CHECK(offered({"run", "--plan", "streaming="}) == Texts{"streaming=false", "streaming=true"});
  CHECK(offered({"run", "--plan", "sortBits="}).empty());
  CHECK(offered({"run", "--plan", "nothing="}).empty());
  CHECK(offered({"compare", "--set", "plan.pageS"}) == Texts{"plan.pageSize="});
}

TEST_CASE("keys of a machine, by the path that was begun") {
  CHECK(offers({"compare", "--set", ""}, "cpu."));
  CHECK(offers({"compare", "--set", "cpu.c"}, "cpu.clock="));
  CHECK(offers({"compare", "--set", "cpu.c"}, "cpu.caches."));
  CHECK(offered({"compare", "--set", "memory.lat"}) == Texts{"memory.latency="});
  CHECK(offered({"compare", "--set", "memory.latency=9"}).empty());
}

TEST_CASE("paths are the shell's") {
  CHECK(complete({"tune", "--output", ""}).paths == Paths::files);
  CHECK(complete({"validate", "-o", ""}).paths == Paths::folders);
  CHECK(complete({"tune", "--json", ""}).paths == Paths::none);
  CHECK(complete({"tune", "-m", ""}).paths == Paths::files);
  const Completion labels = complete({"run", "--dist", "file:x"});
  CHECK(labels.paths == Paths::files);
  CHECK(labels.path_prefix == "file:");
  CHECK(complete({"run", "--labels=x"}).path_prefix == "--labels=");
}

TEST_CASE("topics of help and shells") {
  CHECK(offered({"help", "pl"}) == Texts{"plan-keys"});
  CHECK(offered({"help", "tu"}) == Texts{"tune"});
  CHECK(offered({"help", "--man", "tu"}) == Texts{"tune"});
  CHECK(offered({"help", "tune", ""}).empty());
  CHECK(offered({"completion", ""}) == completion_shells());
}

TEST_CASE("one candidate a line") {
  CHECK(completion_lines({{{"a", ""}, {"b=", "what b is"}}}) == "a\nb= what b is\n");
  CHECK(completion_lines({{}, Paths::files, "file:"}) == ":files file:\n");
  CHECK(completion_lines({{}, Paths::folders, ""}) == ":folders\n");
  CHECK(completion_lines({}).empty());
}

TEST_CASE("a shell without a script is refused") {
  for (const std::string& shell : completion_shells()) {
    CHECK(completion_script(shell).find("presort") != std::string::npos);
  }
  CHECK_THROWS_AS(completion_script("tcsh"), InputError);
  CHECK_THROWS_AS(completion_script(""), InputError);
}

}  // namespace completion_test
