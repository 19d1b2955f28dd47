#include "presort/core/machine/check/machine_check.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

Found tlb_level(const Machine& machine, const TlbLevel& level, const std::string& at) {
  for (const uint64_t page : level.page_bytes) {
    if (const Found found = unless_page(at + ".page", page, machine.caches[0].line_bytes)) {
      return found;
    }
  }
  if (level.entries % level.ways != 0) {
    return machine_problem(
        at + ".entries", std::to_string(level.entries),
        "a multiple of the ways of " + level.name + ", " + std::to_string(level.ways));
  }
  return {};
}

}  // namespace

Found check_translation(const Machine& machine) {
  for (size_t i = 0; i < machine.tlb.size(); ++i) {
    const std::string at = "cpu.tlb[" + std::to_string(i) + "]";
    for (size_t j = 0; j < i; ++j) {
      if (machine.tlb[j].name == machine.tlb[i].name) {
        return machine_problem(at + ".name", machine.tlb[i].name,
                               "a name that no other TLB level has");
      }
    }
    if (const Found found = tlb_level(machine, machine.tlb[i], at)) {
      return found;
    }
  }
  const PageWalk& walk = machine.walk;
  if (!walk.enters_at.empty()) {
    if (const Found found = unless_level(machine, "cpu.walk.entersAt", walk.enters_at)) {
      return found;
    }
  }
  return walk.nested_host_page_bytes
             ? unless_page("cpu.walk.nested.hostPage", *walk.nested_host_page_bytes,
                           machine.caches[0].line_bytes)
             : Found{};
}

}  // namespace presort
