#include "presort/app/explain/wait_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace presort::inline v0::app {

namespace {

struct Words {
  const char* term;
  const char* text;
};
constexpr Words kWords[] = {
    {"core", "the core's own instructions"},
    {"memoryLatency", "waits for memory"},
    {"memoryBandwidth", "waits for memory's bandwidth"},
    {"TLB", "page walks"},
    {"branches", "mispredicted branches"},
    {"stores", "stores that wait for others"},
    {"dependence", "results that wait for earlier ones"},
    {"storage", "waits for the disk"},
    {"team", "threads that are woken and waited for"},
};

// Share of a cache beyond which the inputs now and then evict buckets from it.
constexpr double kTightPart = 0.5;

size_t level_of(const Machine& machine, const std::string& name) {
  const auto found = std::find_if(machine.caches.begin(), machine.caches.end(),
                                  [&name](const CacheLevel& level) { return level.name == name; });
  return static_cast<size_t>(found - machine.caches.begin());
}

std::string the_buckets(const BucketPlace& place) {
  return fmt::format("the {} of buckets", about_bytes(place.bytes));
}

bool tight(const Machine& machine, const BucketPlace& place) {
  const CacheLevel& level = machine.caches[place.level];
  return static_cast<double>(place.bytes) >
         kTightPart * level.share * static_cast<double>(level.size_bytes);
}

std::string memory_reason(const Machine& machine, const BucketPlace& place) {
  if (place.in_order) {
    return ", for inputs, as labels go from one bucket to the next";
  }
  if (place.level == machine.caches.size()) {
    return ": " + the_buckets(place) + " " + fit_text(machine, place);
  }
  const bool last = place.level + 1 == machine.caches.size();
  return std::string(", for inputs") +
         (last && tight(machine, place) ? " and for buckets that they push out: " : ": ") +
         the_buckets(place) + " " + fit_text(machine, place);
}

// True if a plan's prefetches of bucket lines wait because all fill buffers of the first level are
// busy.
bool waits_for_buffers(const Scene& scene, size_t level) {
  return level == 0 && scene.plan->base.prefetch_distance > 0 && !scene.place.in_order &&
         scene.place.level > 0;
}

}  // namespace

std::string plain_term_text(const std::string& term) {
  for (const Words& words : kWords) {
    if (term == words.term) {
      return words.text;
    }
  }
  return "waits for the " + term;
}

std::string term_text(const Scene& scene, const std::string& term) {
  for (const Words& words : kWords) {
    if (term == words.term) {
      return words.text;
    }
  }
  const size_t level = level_of(*scene.machine, term);
  if (waits_for_buffers(scene, level)) {
    return fmt::format("waits for one of the {}'s {} fill buffers", term,
                       scene.machine->caches[0].queue);
  }
  return (level == 0 ? "reads from the " : "waits for the ") + term;
}

std::string reason_text(const Scene& scene, const std::string& term) {
  const Machine& machine = *scene.machine;
  const BucketPlace& place = scene.place;
  if (term == "memoryLatency" || term == "memoryBandwidth") {
    return memory_reason(machine, place);
  }
  if (term == "TLB") {
    const auto pages = pages_text(machine, place, scene.plan->resources.page_size);
    return pages ? ": " + *pages : "";
  }
  const size_t level = level_of(machine, term);
  if (waits_for_buffers(scene, level)) {
    return ", which hold lines of buckets on their way: " + the_buckets(place) + " " +
           fit_text(machine, place);
  }
  if (level == machine.caches.size() || level == 0 || place.in_order || level > place.level) {
    return "";
  }
  return (level == place.level ? ", where " : ", where some of ") + the_buckets(place) + " lie";
}

}  // namespace presort::app
