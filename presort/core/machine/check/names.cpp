#include "presort/core/machine/check/machine_check.h"
#include "presort/core/text/display_text.h"

namespace presort::inline v0 {
namespace {

// Most levels of caches, and of TLBs: a time stack numbers a term for each cache level in a byte.
// Real machines have up to five cache levels and fewer TLB levels.
constexpr size_t kMostLevels = 16;
constexpr size_t kMostPageSizes = 16;
constexpr size_t kMostPrefetchers = 16;

Found unless_displayable(const std::string& key_path, const std::string& text, size_t longest) {
  const auto found = find_undisplayable(text, longest);
  return found ? Found{MachineProblem{
                     key_path, "found " + *found + ", accepted: " + displayable_accepted(longest)}}
               : Found{};
}

Found unless_too_many(const std::string& key_path, size_t count, size_t most,
                      const std::string& what) {
  return count <= most ? Found{}
                       : machine_problem(key_path, std::to_string(count),
                                         "at most " + std::to_string(most) + " " + what);
}

}  // namespace

// Checks names. The machine's own name may be longer than names in files: changes of a machine are
// appended to it.
Found check_names(const Machine& machine) {
  Found found = unless_displayable("name", machine.name, kLongestText);
  for (size_t i = 0; !found && i < machine.caches.size(); ++i) {
    found = unless_displayable("cpu.caches[" + std::to_string(i) + "].name", machine.caches[i].name,
                               kLongestName);
  }
  for (size_t i = 0; !found && i < machine.tlb.size(); ++i) {
    found = unless_displayable("cpu.tlb[" + std::to_string(i) + "].name", machine.tlb[i].name,
                               kLongestName);
  }
  for (size_t i = 0; !found && machine.numa && i < machine.numa->nodes.size(); ++i) {
    found = unless_displayable("cpu.numa.nodes[" + std::to_string(i) + "].name",
                               machine.numa->nodes[i].name, kLongestName);
  }
  for (size_t i = 0; !found && machine.numa && i < machine.numa->links.size(); ++i) {
    const NumaLink& link = machine.numa->links[i];
    const std::string at = "cpu.numa.links[" + std::to_string(i) + "].";
    found = first_of(unless_displayable(at + "cores", link.cores, kLongestName),
                     unless_displayable(at + "memory", link.memory, kLongestName));
  }
  if (!found && machine.gpu) {
    found =
        first_of(unless_displayable("gpu.name", machine.gpu->name, kLongestName),
                 unless_displayable("gpu.architecture", machine.gpu->architecture, kLongestName));
  }
  if (!found && machine.gpu_hardware) {
    found = unless_displayable("gpuHardware.name", machine.gpu_hardware->name, kLongestName);
  }
  return found;
}

Found check_lists(const Machine& machine) {
  if (machine.caches.empty()) {
    return machine_problem("cpu.caches", "none", "at least one cache level");
  }
  Found found =
      first_of(unless_too_many("cpu.caches", machine.caches.size(), kMostLevels, "cache levels"),
               unless_too_many("cpu.prefetchers", machine.prefetchers.size(), kMostPrefetchers,
                               "prefetchers"),
               unless_too_many("cpu.tlb", machine.tlb.size(), kMostLevels, "TLB levels"));
  for (size_t i = 0; !found && i < machine.tlb.size(); ++i) {
    const std::string key_path = "cpu.tlb[" + std::to_string(i) + "].page";
    const size_t count = machine.tlb[i].page_bytes.size();
    found = count == 0 ? machine_problem(key_path, "none", "at least one page size")
                       : unless_too_many(key_path, count, kMostPageSizes, "page sizes");
  }
  if (!found && machine.numa) {
    const Numa& numa = *machine.numa;
    found =
        numa.nodes.empty()
            ? machine_problem("cpu.numa.nodes", "none", "at least one node")
            : first_of(unless_too_many("cpu.numa.nodes", numa.nodes.size(), kMostNodes, "nodes"),
                       unless_too_many("cpu.numa.links", numa.links.size(),
                                       kMostNodes * (kMostNodes - 1), "links"));
  }
  return found;
}

}  // namespace presort
