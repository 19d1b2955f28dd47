#include "presort/app/machines/hierarchy_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "presort/app/printing/displayable.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/text/range.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

using Lines = std::vector<std::string>;

std::string counted(int count, const std::string& what, const std::string& plural_end) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : plural_end);
}

std::string arrow(const Machine& machine, double cycles, const std::string& besides) {
  const std::string text =
      fmt::format("{:.4g} cy = {:.3g} ns", cycles, cycles * 1e9 / machine.clock_hz);
  return "     |  " + text + (besides.empty() ? "" : ", " + besides);
}

// The text on the arrow from a cache level to the level below: most outstanding misses, and the
// prefetchers that watch the upper level.
std::string below_level(const Machine& machine, const CacheLevel& level) {
  std::string text = counted(level.queue, "miss", "es") + " at a time";
  for (const Prefetcher& prefetcher : machine.prefetchers) {
    if (prefetcher.level == level.name) {
      text += fmt::format("; prefetch {} {}", to_name(kPrefetcherKinds, prefetcher.kind),
                          counted(prefetcher.degree, "line", "s"));
      text += prefetcher.distance > 1 ? fmt::format(" up to {} ahead", prefetcher.distance) : "";
    }
  }
  return text;
}

std::string describe(const CacheLevel& level) {
  std::string text = fmt::format("{:<7} {:>9}  {:>2} ways of {} lines  {}", level.name,
                                 format_bytes(level.size_bytes), level.ways,
                                 format_bytes(level.line_bytes), to_string(level.policy));
  text += level.shared_by > 1 ? fmt::format(", shared by {}", level.shared_by) : ", private";
  text += level.fill == Fill::onEvict ? ", victim" : "";
  text += level.inclusion == Inclusion::nonInclusive
              ? ""
              : ", " + std::string(to_name(kInclusions, level.inclusion));
  text += level.write == WriteMode::through ? ", write-through" : "";
  text += level.sector_bytes > 0 && level.sector_bytes < level.line_bytes
              ? ", sectors of " + format_bytes(level.sector_bytes)
              : "";
  text += level.hashed ? ", hashed" : "";
  text += level.share < 1 ? fmt::format(", {:.0f} % of it here", level.share * 100) : "";
  return text;
}

std::string describe(const Memory& memory) {
  std::string text = fmt::format("memory  {}", format_bandwidth(memory.bandwidth));
  if (memory.per_core_bandwidth > 0) {
    text += fmt::format(", one core {}", format_bandwidth(memory.per_core_bandwidth));
  }
  return text + fmt::format("  {} of {}, rows of {}", counted(memory.channels, "channel", "s"),
                            counted(memory.banks, "bank", "s"), format_bytes(memory.row_bytes));
}

std::string describe(const Storage& storage) {
  return fmt::format("{}  page cache {}  reads {}, writes {}", to_name(kDeviceKinds, storage.kind),
                     format_bytes(storage.page_cache_bytes),
                     format_bandwidth(storage.read_bandwidth),
                     format_bandwidth(storage.write_bandwidth));
}

std::string describe(const TlbLevel& level) {
  Lines pages;
  for (const uint64_t page : level.page_bytes) {
    pages.push_back(format_bytes(page));
  }
  return fmt::format("{:<11} {:>5} entries  {:>4} ways  +{:.4g} cy  pages of {}", level.name,
                     level.entries, level.ways, level.latency_cycles, fmt::join(pages, ", "));
}

std::string describe(const Machine& machine, const PageWalk& walk) {
  Lines parts = {counted(walk.walkers, "page walker", "s") + ", reading through " +
                 (walk.enters_at.empty() ? machine.caches.front().name : walk.enters_at)};
  for (const auto& [name, entries] :
       {std::pair("PDE", walk.pde_entries), std::pair("PDPTE", walk.pdpte_entries),
        std::pair("PML4E", walk.pml4e_entries)}) {
    if (entries > 0) {
      parts.push_back(fmt::format("{} {} cache", entries, name));
    }
  }
  if (walk.nested_host_page_bytes) {
    parts.push_back("nested in host pages of " + format_bytes(*walk.nested_host_page_bytes));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Draws boxes with displayable names one below the other; `arrows[i]` is the text between box i and
// box i + 1.
std::string draw_boxes(Lines boxes, const Lines& arrows) {
  size_t width = 0;
  for (std::string& box : boxes) {
    box = displayable_line(box);
    width = std::max(width, box.size());
  }
  const std::string edge = fmt::format("  +{:-<{}}+\n", "", width + 2);
  std::string text;
  for (size_t i = 0; i < boxes.size(); ++i) {
    text += fmt::format("{0}  | {1:<{2}} |\n{0}", edge, boxes[i], width);
    text += i < arrows.size() ? arrows[i] + "\n" : "";
  }
  return text;
}

std::string draw_way_to_memory(const Machine& machine) {
  const Memory& memory = machine.memory;
  Lines boxes = {fmt::format("{}, {}  {} micro-operations a cycle  window {}, {} stores",
                             counted(machine.cores, "core", "s"),
                             format_frequency(machine.clock_hz), machine.dispatch_width,
                             machine.window.entries, machine.window.stores)};
  Lines arrows;
  std::string hanging;
  for (const CacheLevel& level : machine.caches) {
    arrows.push_back(arrow(machine, level.latency_cycles, hanging));
    boxes.push_back(describe(level));
    hanging = below_level(machine, level);
  }
  const double cycle_ns = 1e9 / machine.clock_hz;
  std::string row = memory.row_hit_ns == 0 ? ""
                                           : fmt::format(" ({:.3g} ns in an open row)",
                                                         memory.latency_ns + memory.row_hit_ns);
  arrows.push_back(arrow(machine, memory.latency_ns / cycle_ns, "") + row + ", " + hanging);
  boxes.push_back(describe(memory));
  if (machine.storage) {
    arrows.push_back(
        fmt::format("     |  {:.4g} us and more, {}", machine.storage->latency_ns * 1e-3,
                    counted(machine.storage->faults, "page fault", "s") + " at a time"));
    boxes.push_back(describe(*machine.storage));
  }
  return draw_boxes(boxes, arrows);
}

std::string draw_translation(const Machine& machine) {
  if (machine.tlb.empty()) {
    return "  translation is free\n";
  }
  std::string text = "  translation, beside each access:\n";
  for (const TlbLevel& level : machine.tlb) {
    text += "    " + displayable_line(describe(level)) + "\n";
  }
  return text + fmt::format("    {}\n    frames {}\n",
                            displayable_line(describe(machine, machine.walk)),
                            to_name(kFrames, machine.frames));
}

std::string draw_gpu(const Gpu& gpu) {
  Lines ceilings;
  Gpu copy = gpu;
  for (const Field& ceiling : fields::kGpuCeilings.rows) {
    const double value = real_number(ceiling, &copy);
    if (value == 0 && ceiling.presence != Presence::required) {
      continue;  // not measured
    }
    const std::string rate = number_text(value, ceiling.range.unit);
    ceilings.push_back(fmt::format("    {:<22} {:>10}", ceiling.key, rate));
  }
  return fmt::format(
      "  beside it {} ({}): {} of {} of shared memory, {} a block, at {}; L2 {} ({} of random "
      "atomics), memory {}\n{}\n",
      displayable_line(gpu.name), displayable_line(gpu.architecture),
      counted(gpu.multiprocessors, "multiprocessor", "s"),
      format_bytes(gpu.shared_bytes_of_multiprocessor), format_bytes(gpu.shared_bytes_of_block),
      format_frequency(gpu.clock_hz), format_bytes(gpu.l2_bytes),
      format_bytes(gpu.l2_effective_bytes), format_bytes(gpu.memory_bytes),
      fmt::join(ceilings, "\n"));
}

}  // namespace

std::string draw_machine(const Machine& machine) {
  return draw_way_to_memory(machine) + draw_translation(machine) +
         (machine.gpu ? draw_gpu(*machine.gpu) : "");
}

}  // namespace presort::app
