#include "presort/io/campaign/campaign_file.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

#include "presort/core/base/checked.h"
#include "presort/core/text/exact_text.h"
#include "presort/core/text/units.h"
#include "presort/io/plans/plan_yaml.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {
namespace {

std::string same_text(std::string_view /*key*/, std::string_view text) {
  return std::string(text);
}

void refuse_too_many(const ValueReader& value, size_t found) {
  if (found > kMostCampaignValues) {
    value.fail("at most " + std::to_string(kMostCampaignValues) + " values");
  }
}

void refuse_repeated(const ValueReader& value, std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  const auto twice = std::adjacent_find(texts.begin(), texts.end());
  if (twice != texts.end()) {
    value.fail_with(value.path() + ": found " + quoted_text(*twice) +
                    " twice, accepted: different values");
  }
}

constexpr Range kNumberOfValues = {RangeUnit::count, 2, static_cast<double>(kMostCampaignValues)};

// A number of a range, from text such as "2^10" or "1.5".
double range_number(std::string_view key, std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str() + copy.size() && !copy.empty() && std::isfinite(number) && number >= 0) {
    return number;
  }
  return static_cast<double>(parse_count(key, text));
}

// The values of a range {from, to, count} or {from, to, factor}, as text with the range's unit.
std::vector<std::string> range_values(const ValueReader& value) {
  MapReader map = value.map();
  const double from = map.required("from").as(range_number);
  const ValueReader last = map.required("to");
  const double to = last.as(range_number);
  const auto unit = map.optional("unit");
  const std::string ending = unit ? unit->name() : "";
  const auto count = map.optional("count");
  const auto factor = map.optional("factor");
  map.finish();
  if (count.has_value() == factor.has_value()) {
    value.fail_with(value.path() + ": found " + (count ? "count and factor" : "neither") +
                    ", accepted: one of count, factor");
  }
  if (to < from) {
    last.fail("a number that is not below `from`");
  }
  std::vector<std::string> values;
  if (count) {
    const int points = count->integer(kNumberOfValues);
    for (int i = 0; i < points; ++i) {
      values.push_back(exact_number(from + (to - from) * i / (points - 1)) + ending);
    }
    return values;
  }
  const double step = factor->as(range_number);
  if (!(step > 1) || !(from > 0)) {
    factor->fail("a number above 1, with `from` above 0");
  }
  // The last value may be off by rounding.
  for (double number = from; number <= to * (1 + 1e-9); number *= step) {
    values.push_back(exact_number(number) + ending);
    refuse_too_many(value, values.size());
  }
  return values;
}

// The items of a list, of a range, or of one value alone.
template <class T>
std::vector<T> read_values(const ValueReader& value,
                           const std::function<T(std::string_view, std::string_view)>& parse) {
  std::vector<T> values;
  std::vector<std::string> texts;
  if (value.is_map()) {
    texts = range_values(value);
    for (const std::string& text : texts) {
      try {
        values.push_back(parse(value.path(), text));
      } catch (const InputError& error) {
        value.fail_with(error.what());
      }
    }
  } else {
    for (const ValueReader& item :
         value.is_list() ? value.list() : std::vector<ValueReader>{value}) {
      values.push_back(item.as(parse));
      texts.push_back(item.text());
    }
  }
  if (values.empty()) {
    value.fail("at least one value");
  }
  refuse_too_many(value, values.size());
  refuse_repeated(value, std::move(texts));
  return values;
}

uint64_t parse_number_of(std::string_view key, std::string_view text) {
  const uint64_t count = parse_count(key, text);
  if (count == 0) {
    throw InputError(std::string(key) + ": found '0', accepted: a number from 1");
  }
  return count;
}

Distribution parse_formula(std::string_view key, std::string_view text) {
  Distribution distribution = parse_distribution(key, text);
  if (distribution.kind == DistributionKind::file) {
    throw InputError(std::string(key) + ": found " + quoted_text(text) +
                     ", accepted: a distribution by formula, as a file may change between starts");
  }
  return distribution;
}

Operation parse_operation(std::string_view key, std::string_view text) {
  const Operation operation = from_name(kOperations, key, text);
  if (operation == Operation::reduceAxes) {
    throw InputError(std::string(key) +
                     ": found 'reduceAxes', accepted: an operation without a shape");
  }
  return operation;
}

// One key of the campaign's file, or of its map `problems`: documentation and reader.
struct CampaignKey {
  FileKey documentation;
  void (*read)(const ValueReader& value, Campaign& campaign);
};

void read_mode(const ValueReader& value, Campaign& campaign) {
  campaign.mode = value.one_of(kCampaignModes);
}
void read_machines(const ValueReader& value, Campaign& campaign) {
  campaign.machines = read_values<std::string>(value, same_text);
}
void read_set(const ValueReader& value, Campaign& campaign) {
  for (const auto& [key, item] : value.map().entries()) {
    if (key.starts_with("plan.")) {
      item.fail_with(item.path() + ": found a key of plans, accepted: a key of machine files");
    }
    campaign.set.push_back({key, read_values<std::string>(item, same_text)});
  }
}
void read_plans(const ValueReader& value, Campaign& campaign) {
  std::vector<std::string> texts;
  for (const ValueReader& item : value.list()) {
    campaign.plans.push_back(read_plan(item));
    texts.push_back(to_string(campaign.plans.back()));
  }
  if (texts.empty()) {
    value.fail("at least one plan");
  }
  refuse_repeated(value, std::move(texts));
}
void read_operations(const ValueReader& value, Campaign& campaign) {
  campaign.operations = read_values<Operation>(value, parse_operation);
}
void read_types(const ValueReader& value, Campaign& campaign) {
  campaign.types = read_values<Types>(value, parse_types);
}
void read_distributions(const ValueReader& value, Campaign& campaign) {
  campaign.distributions = read_values<Distribution>(value, parse_formula);
}
void read_seeds(const ValueReader& value, Campaign& campaign) {
  campaign.seeds = read_values<uint64_t>(value, parse_count);
}
void read_n(const ValueReader& value, Campaign& campaign) {
  campaign.n = read_values<uint64_t>(value, parse_number_of);
}
void read_m(const ValueReader& value, Campaign& campaign) {
  campaign.m = read_values<uint64_t>(value, parse_number_of);
}

constexpr std::string_view kRequired = "required";
constexpr std::string_view kProblems = "problems";

constexpr CampaignKey kKeys[] = {
    {{"mode", "`tune`, `predict`, `simulate`, `validate`", "`tune`",
      "what is computed for each point: the best plan in closed form; the time of each plan in "
      "closed form, or by simulation; its time by simulation, and by runs on this machine"},
     read_mode},
    {{"machines", "values", "required", "names of bundled machines, or paths of machine files"},
     read_machines},
    {{"set", "a map of values", "none",
      "keys of [machine files](machine-keys.md) and the values that they are set to, as `--set` of "
      "compare does"},
     read_set},
    {{"plans", "a list of [plans](plan-keys.md)", "required, but not with `mode: tune`",
      "the plans; a plan that does not fit a problem gives a row that says why"},
     read_plans},
};

constexpr CampaignKey kProblemKeys[] = {
    {{"op", "values", "`multireduce`", "operations, but `reduceAxes`"}, read_operations},
    {{"types", "values", "`u32+u32`", "types of label and value"}, read_types},
    {{"dist", "values", "`uniform`", "distributions of labels, but `file`"}, read_distributions},
    {{"seed", "values", "`1`", "seeds of the labels"}, read_seeds},
    {{"n", "values", "required", "numbers of inputs"}, read_n},
    {{"m", "values", "required", "numbers of buckets"}, read_m},
};

constexpr FileKey kRangeKeys[] = {
    {"from", "a number", "required", "the first value"},
    {"to", "a number", "required",
     "the last value, or with `factor` a bound that no value is above"},
    {"count", "2 to 100000", "none", "number of values, at equal distances"},
    {"factor", "a number above 1", "none", "each value over the one before, instead of `count`"},
    {"unit", "text", "none", "unit behind each number, such as `ns`"},
};

void read_keys(std::span<const CampaignKey> keys, MapReader& map, Campaign& campaign) {
  for (const CampaignKey& key : keys) {
    if (key.documentation.without == kRequired) {
      key.read(map.required(key.documentation.key), campaign);
    } else if (const auto value = map.optional(key.documentation.key)) {
      key.read(*value, campaign);
    }
  }
}

void check_number_of_points(const YamlDocument& document, const Campaign& campaign) {
  uint64_t points = campaign.plans.empty() ? 1 : campaign.plans.size();
  for (const SetAxis& axis : campaign.set) {
    points = saturating_multiply(points, axis.values.size());
  }
  for (const size_t values : {campaign.machines.size(), campaign.operations.size(),
                              campaign.types.size(), campaign.distributions.size(),
                              campaign.seeds.size(), campaign.n.size(), campaign.m.size()}) {
    points = saturating_multiply(points, values);
  }
  if (points > kMostCampaignPoints) {
    fail_at_path(document, kProblems, "found more than 2^40 combinations of all values");
  }
}

Campaign bind(const YamlDocument& document) {
  MapReader root = open_document(document, "campaign/1");
  Campaign campaign;
  read_keys(kKeys, root, campaign);
  MapReader problems = root.required(kProblems).map();
  read_keys(kProblemKeys, problems, campaign);
  problems.finish();
  root.finish();
  if (campaign.mode == CampaignMode::tune && !campaign.plans.empty()) {
    fail_at_path(document, "plans", "found with mode: tune, which tries plans of its own");
  }
  if (campaign.mode != CampaignMode::tune && campaign.plans.empty()) {
    fail_at_path(document, "mode", "found without plans, accepted: the key plans beside it");
  }
  check_number_of_points(document, campaign);
  return campaign;
}

template <class Key>
std::string key_rows(std::span<const Key> keys) {
  std::string text = "| key | accepted | without it | meaning |\n| --- | --- | --- | --- |\n";
  for (const FileKey& key : keys) {
    text.append("| `").append(key.key).append("` | ").append(key.accepted).append(" | ");
    text.append(key.without).append(" | ").append(key.doc).append(" |\n");
  }
  return text;
}

std::vector<FileKey> documentation_of(std::span<const CampaignKey> keys) {
  std::vector<FileKey> all;
  for (const CampaignKey& key : keys) {
    all.push_back(key.documentation);
  }
  return all;
}

}  // namespace

Campaign read_campaign(const std::string& path) {
  return bind(load_yaml(path));
}

Campaign parse_campaign(const std::string& text, const std::string& file) {
  return bind(parse_yaml(text, file));
}

std::span<const FileKey> campaign_keys() {
  static const std::vector<FileKey> all = [] {
    std::vector<FileKey> keys = documentation_of(kKeys);
    keys.insert(keys.begin(),
                {"presort", "`campaign/1`", kRequired, "kind and version of the file"});
    keys.push_back({kProblems, "a map, below", kRequired, "the problems, as lists of values"});
    return keys;
  }();
  return all;
}

std::span<const FileKey> campaign_problem_keys() {
  static const std::vector<FileKey> all = documentation_of(kProblemKeys);
  return all;
}

std::span<const FileKey> campaign_range_keys() {
  return kRangeKeys;
}

std::string campaign_keys_text() {
  return "# Keys of campaign files\n\n"
         "This text is what `presort help campaign-keys` prints, made of the tables in "
         "`presort/io/campaign/`.\n\n"
         "A campaign file is YAML: `presort: campaign/1`, and the keys below. The points of a "
         "campaign are all combinations of the values. [How to run "
         "one](../how-to/campaigns.md).\n\n"
         "```yaml\n"
         "presort: campaign/1\n"
         "mode: tune\n"
         "machines: [rome-7742]\n"
         "set:\n"
         "  cpu.caches.L2.size: [512KiB, 1MiB]\n"
         "  memory.latency: {from: 80, to: 120, count: 5, unit: ns}\n"
         "problems:\n"
         "  n: 2^26\n"
         "  m: {from: 2^10, to: 2^28, factor: 4}\n"
         "  dist: [uniform, \"zipf:1\"]\n"
         "```\n\n"
         "## The file itself\n\n" +
         key_rows(campaign_keys()) + "\n## `problems`\n\n" + key_rows(campaign_problem_keys()) +
         "\n## Values\n\n"
         "Values are one value, a list of values, or a range: a map with these keys.\n\n" +
         key_rows(campaign_range_keys()) +
         "\nPoints are numbered from 0. The last of these changes fastest: `machines`, the keys of "
         "`set` in the order of the file, `op`, `types`, `dist`, `seed`, `n`, `m`, `plans`.\n";
}

}  // namespace presort::io
