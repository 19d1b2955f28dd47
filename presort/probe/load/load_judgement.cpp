#include "presort/probe/load/load_judgement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace presort::inline v0::probe {
namespace {

// Measured on a two-core virtual machine, Golden-Cove-class core: medians of runs of one thread,
// ns per input, beside busy loops of other processes. In brackets the part of the processors that
// others used, and the part of the time that the timing thread waited.
//
//   buckets   no loop           one loop            two loops
//   2^12      0.99 (5 %, 3 %)   0.98 (57 %, 18 %)   2.1 (77 %, 57 %)
//   2^24      5.8 (12 %, 5 %)   5.5 (57 %, 17 %)    14 (75 %, 49 %)
//
// One loop leaves a core to the thread and lengthens no median; two double it. A thread that loses
// a quarter of its time takes a third longer on average: that much is beyond belief.
//
// From `shared` on times are less certain, from `too_busy` on they are not to be believed.
struct Rule {
  std::optional<double> MachineLoad::*part;
  double shared;
  double too_busy;
  std::string (*reason)(const MachineLoad& load);
};

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kWaitingShared = 0.10;     // share of the time that threads waited for a processor
constexpr double kContendersShared = 0.50;  // ready threads of other processes for each processor
constexpr double kLostTooBusy = 0.25;  // share of the time lost by waiting, or to the hypervisor
constexpr double kNeeded = 0.75;  // share of a processor that each timed thread needs to itself

std::string percent_text(double part) {
  return std::to_string(std::lround(100 * part)) + " %";
}

// A number as text with one decimal: "5.8"
std::string tenths_text(double value) {
  const long tenths = std::lround(10 * value);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string others_text(const MachineLoad& load) {
  return "other processes used " + percent_text(*load.others) +
         (load.processors == 1 ? " of the only processor"
                               : " of the " + std::to_string(load.processors) + " processors");
}

std::string contenders_text(double contenders) {
  return tenths_text(contenders) +
         " threads of other processes were ready to run for each "
         "processor";
}

constexpr Rule kRules[] = {
    {&MachineLoad::others, 0.10, 0.75, others_text},
    {&MachineLoad::waited, 0.05, kLostTooBusy,
     [](const MachineLoad& load) {
       return "the timing thread waited for a processor " + percent_text(*load.waited) +
              " of the time";
     }},
    {&MachineLoad::stolen, 0.02, kLostTooBusy,
     [](const MachineLoad& load) {
       return "the hypervisor took " + percent_text(*load.stolen) + " of the processors' time";
     }},
    {&MachineLoad::crowded, 0.10, 0.50,
     [](const MachineLoad& load) {
       return "something shared the core in " + percent_text(*load.crowded) + " of the looks at it";
     }},
    {&MachineLoad::slowdown, 1.10, 1.50,
     [](const MachineLoad& load) {
       return "the core's clock was " + tenths_text(*load.slowdown) +
              " times slower than the machine file says";
     }},
    {&MachineLoad::group_pressure, kWaitingShared, kNever,
     [](const MachineLoad& load) {
       return "threads of the control group waited for a processor " +
              percent_text(*load.group_pressure) + " of the time";
     }},
    {&MachineLoad::pressure, kWaitingShared, kNever,
     [](const MachineLoad& load) {
       return "threads of the system waited for a processor " + percent_text(*load.pressure) +
              " of the time";
     }},
    {&MachineLoad::contenders, kContendersShared, kNever,
     [](const MachineLoad& load) { return contenders_text(*load.contenders); }},
};

struct Finding {
  Busyness busyness = Busyness::quiet;
  std::string reason;
};

Finding find_by(const Rule& rule, const MachineLoad& load) {
  const std::optional<double>& part = load.*rule.part;
  if (!part || *part < rule.shared) {
    return {};
  }
  return {*part >= rule.too_busy ? Busyness::tooBusy : Busyness::shared, rule.reason(load)};
}

// True if other processes and the hypervisor leave each timed thread less than kNeeded of a
// processor.
bool lacks_processors(const MachineLoad& load, int threads) {
  return load.others && threads <= load.processors &&
         load.processors * (1 - *load.others - load.stolen.value_or(0)) < kNeeded * threads;
}

}  // namespace

LoadJudgement judge_load(const MachineLoad& load, int threads) {
  std::vector<Finding> findings;
  for (const Rule& rule : kRules) {
    Finding finding = find_by(rule, load);
    if (finding.busyness == Busyness::quiet) {
      continue;
    }
    if (rule.part == &MachineLoad::others && lacks_processors(load, threads)) {
      finding.busyness = Busyness::tooBusy;
    }
    findings.push_back(std::move(finding));
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.busyness > b.busyness; });
  LoadJudgement judgement = {.load = load, .busyness = Busyness::quiet, .reasons = {}};
  for (Finding& finding : findings) {
    judgement.busyness = std::max(judgement.busyness, finding.busyness);
    judgement.reasons.push_back(std::move(finding.reason));
  }
  return judgement;
}

std::string busy_before(const LoadMoment& moment) {
  if (moment.pressure && moment.pressure->recent_part >= kWaitingShared) {
    return "threads waited for a processor " + percent_text(moment.pressure->recent_part) +
           " of the last 10 s";
  }
  if (moment.contenders && *moment.contenders >= kContendersShared) {
    return contenders_text(*moment.contenders);
  }
  return "";
}

std::string reasons_text(const LoadJudgement& judgement) {
  std::string text;
  for (const std::string& reason : judgement.reasons) {
    text += (text.empty() ? "" : "; ") + reason;
  }
  return text;
}

}  // namespace presort::probe
