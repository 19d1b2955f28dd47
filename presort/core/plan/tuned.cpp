#include "presort/core/plan/tuned.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "presort/core/error.h"

namespace presort::inline v0 {
namespace {

constexpr double kCrossoverRatio = 1.05;  // a crossover is where the pre-sort wins by at least 5 %

bool same_class(const Problem& a, const Problem& b) {
  return a.operation == b.operation && a.types == b.types &&
         a.distribution.kind == b.distribution.kind;
}

// Distance of an entry from a problem: squared distance in (log2 n, log2 m), then the difference of
// the distributions' parameters.
std::tuple<double, double, bool> distance(const Problem& a, const Problem& b) {
  const double dn = std::log2(static_cast<double>(a.n)) - std::log2(static_cast<double>(b.n));
  const double dm = std::log2(static_cast<double>(a.m)) - std::log2(static_cast<double>(b.m));
  return {dn * dn + dm * dm, std::abs(a.distribution.parameter - b.distribution.parameter),
          a.distribution.path != b.distribution.path};
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(name);
  }
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

// The properties of a problem that a tuned entry must share for its plan to be used.
struct Tuning {
  Device device;
  int devices;
  Problem problem;
};

// A property that distinguishes tuned entries, with its name for messages; listed from the coarsest
// to the finest.
struct Trait {
  const char* name;
  std::string (*of)(const Tuning& tuning);
};
constexpr Trait kTraits[] = {
    {"device", [](const Tuning& tuning) { return to_name(kDevices, tuning.device); }},
    {"devices", [](const Tuning& tuning) { return std::to_string(tuning.devices); }},
    {"op", [](const Tuning& tuning) { return to_name(kOperations, tuning.problem.operation); }},
    {"types", [](const Tuning& tuning) { return to_string(tuning.problem.types); }},
    {"labels",
     [](const Tuning& tuning) {
       const std::string name = to_string(tuning.problem.distribution);
       // The name of the distribution's kind, without its parameter
       return name.substr(0, name.find(':'));
     }},
};

std::vector<Tuning> tunings_of(const Tuned& tuned) {
  std::vector<Tuning> tunings;
  for (const TunedEntry& entry : tuned.entries) {
    tunings.push_back({Device::cpu, 1, entry.problem});
  }
  for (const GpuTunedEntry& entry : tuned.gpu_entries) {
    tunings.push_back({Device::gpu, entry.shared.devices, entry.problem});
  }
  return tunings;
}

// Text "; sortBits=9: REASON" on why no plan can run the problem: the reason of the first entry of
// the problem's kind.
std::string why_not(const Tuned& tuned, const Problem& problem) {
  for (const TunedEntry& entry : tuned.entries) {
    if (same_class(entry.problem, problem)) {
      try {
        check_plan(entry.plan, problem);
        return "";
      } catch (const PlanError& error) {
        return "; " + to_string(entry.plan) + ": " + error.what();
      }
    }
  }
  return "";
}

template <class Plan, class Runs>
std::optional<TunedMatchOf<Plan>> find_nearest(const std::vector<TunedEntryOf<Plan>>& entries,
                                               const Problem& problem, const Runs& runs,
                                               int devices = 1) {
  const TunedEntryOf<Plan>* nearest = nullptr;
  std::tuple<double, double, bool> least;
  for (const TunedEntryOf<Plan>& entry : entries) {
    if (!same_class(entry.problem, problem) || entry.shared.devices != devices) {
      continue;
    }
    const auto apart = distance(entry.problem, problem);
    // Asking whether a plan can run may cost an exception, about a microsecond, so only entries
    // nearer than the best so far are asked.
    if ((!nearest || apart < least) && runs(entry.plan, problem)) {
      nearest = &entry;
      least = apart;
    }
  }
  if (!nearest) {
    return std::nullopt;
  }
  const Problem& found = nearest->problem;
  const bool exact =
      found.n == problem.n && found.m == problem.m && found.distribution == problem.distribution;
  return TunedMatchOf<Plan>{nearest, exact};
}

}  // namespace

template <class Plan>
double TunedEntryOf<Plan>::margin() const {
  const bool known = predicted_ns_per_input > 0 && runner_up_ns_per_input > 0;
  const double ratio = known ? runner_up_ns_per_input / predicted_ns_per_input : 1;
  return std::isfinite(ratio) ? ratio - 1 : 0;
}
template double TunedEntry::margin() const;
template double GpuTunedEntry::margin() const;

std::string why_no_entry(const Tuned& tuned, Device device, const Problem& problem, int devices) {
  std::vector<Tuning> alike = tunings_of(tuned);
  if (alike.empty()) {
    return "the table is empty";
  }
  const Tuning wanted = {device, devices, problem};
  for (const Trait& trait : kTraits) {
    std::vector<std::string> there;
    for (const Tuning& tuning : alike) {
      add_once(there, trait.of(tuning));
    }
    const std::string name = trait.of(wanted);
    std::erase_if(alike, [&](const Tuning& tuning) { return trait.of(tuning) != name; });
    if (alike.empty()) {
      return std::string("no entry of ") + trait.name + " " + name + ", there are " + listed(there);
    }
  }
  return "no plan of its can run " + to_string(problem) +
         (device == Device::cpu ? why_not(tuned, problem) : "");
}

std::optional<TunedMatch> find_entry(const Tuned& tuned, const Problem& problem,
                                     const CanRun& runs) {
  return find_nearest(tuned.entries, problem, runs);
}

std::optional<GpuTunedMatch> find_gpu_entry(const Tuned& tuned, const Problem& problem,
                                            const GpuCanRun& runs, int devices) {
  return find_nearest(tuned.gpu_entries, problem, runs, devices);
}

std::optional<uint64_t> crossover(std::vector<CrossoverPoint> points) {
  // Sorts points by m; of points with equal m the one with the worst ratio comes last and decides.
  std::sort(points.begin(), points.end(), [](const CrossoverPoint& a, const CrossoverPoint& b) {
    return std::tuple(a.m, -a.ratio) < std::tuple(b.m, -b.ratio);
  });
  std::optional<uint64_t> smallest;
  for (auto point = points.rbegin(); point != points.rend(); ++point) {
    if (point->ratio < kCrossoverRatio) {
      break;
    }
    smallest = point->m;
  }
  return smallest;
}

std::vector<uint64_t> paying_m(const std::vector<CrossoverPoint>& points) {
  std::map<uint64_t, double> least;  // for each m, the least ratio of the problems with it
  for (const CrossoverPoint& point : points) {
    double& ratio = least.emplace(point.m, point.ratio).first->second;
    ratio = std::min(ratio, point.ratio);
  }
  std::vector<uint64_t> paying;
  for (const auto& [m, ratio] : least) {
    if (ratio >= kCrossoverRatio) {
      paying.push_back(m);
    }
  }
  return paying;
}

}  // namespace presort
