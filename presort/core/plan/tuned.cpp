#include "presort/core/plan/tuned.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "presort/core/error.h"

namespace presort::inline v0 {
namespace {

constexpr double kCrossoverRatio = 1.05;  // design: the pre-sort must win by 5 %

bool same_class(const TunedEntry& entry, Device device, const Problem& problem) {
  return entry.device == device && entry.problem.operation == problem.operation &&
         entry.problem.types == problem.types &&
         entry.problem.distribution.kind == problem.distribution.kind;
}

// Squared distance in (log2 n, log2 m), then how far the distributions' parameters lie apart.
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

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

// What entries are told apart by, from the coarsest to the finest.
struct Trait {
  const char* name;
  std::string (*of)(const TunedEntry& entry);
};
constexpr Trait kTraits[] = {
    {"device", [](const TunedEntry& entry) { return to_name(kDevices, entry.device); }},
    {"op", [](const TunedEntry& entry) { return to_name(kOperations, entry.problem.operation); }},
    {"types", [](const TunedEntry& entry) { return to_string(entry.problem.types); }},
    {"labels",
     [](const TunedEntry& entry) {
       const std::string name = to_string(entry.problem.distribution);
       return name.substr(0, name.find(':'));  // without its parameter
     }},
};

// "; sortBits=9: REASON" of a processor's plan that does not fit the problem.
std::string why_not(const TunedEntry& entry, const Problem& problem) {
  if (entry.device != Device::cpu) {
    return "";
  }
  try {
    check_plan(entry.plan, problem);
    return "";
  } catch (const PlanError& error) {
    return "; " + to_string(entry.plan) + ": " + error.what();
  }
}

}  // namespace

double TunedEntry::margin() const {
  const bool known = predicted_ns_per_input > 0 && runner_up_ns_per_input > 0;
  const double ratio = known ? runner_up_ns_per_input / predicted_ns_per_input : 1;
  return std::isfinite(ratio) ? ratio - 1 : 0;
}

std::string why_no_entry(const Tuned& tuned, Device device, const Problem& problem) {
  if (tuned.entries.empty()) {
    return "the table is empty";
  }
  TunedEntry wanted;
  wanted.device = device;
  wanted.problem = problem;
  std::vector<const TunedEntry*> alike;
  for (const TunedEntry& entry : tuned.entries) {
    alike.push_back(&entry);
  }
  for (const Trait& trait : kTraits) {
    std::vector<std::string> there;
    for (const TunedEntry* entry : alike) {
      add_once(there, trait.of(*entry));
    }
    const std::string name = trait.of(wanted);
    std::erase_if(alike, [&](const TunedEntry* entry) { return trait.of(*entry) != name; });
    if (alike.empty()) {
      return std::string("no entry of ") + trait.name + " " + name + ", there are " + joined(there);
    }
  }
  return "no plan of its can run " + to_string(problem) + why_not(*alike.front(), problem);
}

std::optional<TunedMatch> find_entry(const Tuned& tuned, Device device, const Problem& problem,
                                     const CanRun& runs) {
  const TunedEntry* nearest = nullptr;
  std::tuple<double, double, bool> least;
  for (const TunedEntry& entry : tuned.entries) {
    if (!same_class(entry, device, problem)) {
      continue;
    }
    const auto apart = distance(entry.problem, problem);
    // A plan that cannot run is an exception, a microsecond each: asked of those alone that count.
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
  return TunedMatch{nearest, exact};
}

std::optional<uint64_t> crossover(std::vector<CrossoverPoint> points) {
  // Among points of equal m the one with the worst ratio comes last: it decides.
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

}  // namespace presort
