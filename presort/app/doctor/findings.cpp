#include "presort/app/doctor/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

// Memory that the largest problems of the quick grid take: 2^26 inputs of 8 bytes, moved once, and
// as many buckets.
constexpr uint64_t kEnoughMemory = 2 * kGiB;

std::string gib_text(uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / kGiB);
}

std::string counted(size_t count, const std::string& one, const std::string& more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) {
    text += (text.empty() ? "" : "; ") + sentence;
  }
  return text;
}

Finding processor(const HostState& host) {
  Finding finding = {"processor"};
  finding.found = fmt::format("{}, core {}{}", host.cpu.name.empty() ? "no name" : host.cpu.name,
                              host.core, host.cpu.hypervisor ? ", a virtual machine" : "");
  if (!host.is_core_known) {
    finding.verdict = Verdict::limited;
    finding.effect =
        "width, window, TLBs and walkers of this core are guesses: predictions are less certain";
    finding.remedy =
        "give them in the machine file by the processor's manual (presort help "
        "machine-keys)";
  }
  return finding;
}

Finding cores(const HostState& host) {
  Finding finding = {"cores"};
  const auto own = static_cast<size_t>(host.limits.cores);
  finding.found = counted(own, "core", "cores") + " for this process";
  const double quota = host.limits.cpu_quota;
  if (quota > 0 && quota < host.limits.cores) {
    finding.verdict = Verdict::limited;
    finding.found += fmt::format(", time of {:.3g} of them (cpu.max)", quota);
    finding.effect = "runs are interrupted, and times of several threads are too long";
    finding.remedy = "run outside the container, or with a larger CPU quota";
  } else if (!host.limits.may_pin && own > 1) {
    finding.verdict = Verdict::limited;
    finding.found += ", threads cannot be pinned to them";
    finding.effect = "the system moves threads between cores while they are timed";
    finding.remedy = "allow sched_setaffinity in the container's seccomp profile";
  } else if (!host.topology.warnings.empty()) {
    finding.verdict = Verdict::limited;
    finding.effect = joined(host.topology.warnings);
  }
  return finding;
}

Finding memory(const HostState& host) {
  Finding finding = {"memory"};
  finding.found = gib_text(host.free_memory_bytes) + " can be taken";
  if (host.free_memory_bytes < kEnoughMemory) {
    finding.verdict = Verdict::limited;
    finding.effect =
        fmt::format("problems that take more are refused; validate --quick takes up to {}",
                    gib_text(kEnoughMemory));
    finding.remedy =
        "end other programs, or raise the control group's memory.max, or the shell's limit of "
        "address space";
  }
  return finding;
}

Finding huge_pages(const HostState& host) {
  Finding finding = {"huge pages"};
  const std::string setting = host.huge_page_setting.empty()
                                  ? ""
                                  : " (transparent_hugepage: " + host.huge_page_setting + ")";
  if (host.huge_pages.value_or(false)) {
    finding.found = "memory lies on 2 MiB pages when asked for" + setting;
    return finding;
  }
  finding.verdict = host.huge_pages ? Verdict::missing : Verdict::limited;
  finding.found = (host.huge_pages ? "memory stays on 4 KiB pages when 2 MiB pages are asked for"
                                   : "not tried: too little memory") +
                  setting;
  finding.effect =
      "plans with pageSize=2MiB run with 4 KiB pages, whose TLB misses they do not expect";
  finding.remedy =
      host.huge_page_setting == "never"
          ? "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled; or use "
            "pageSize=4KiB"
          : "free memory is in pieces: restart programs or the machine; or use pageSize=4KiB";
  return finding;
}

Finding counters(const HostState& host) {
  Finding finding = {"counters"};
  finding.found = host.counters ? "hardware counters can be read" : "no hardware counters";
  if (!host.counters) {
    finding.verdict = Verdict::limited;
    finding.effect = "probe cannot check what its loops did; no figure rests on counters";
    finding.remedy = host.cpu.hypervisor ? "ask for a virtual machine with a PMU"
                                         : "as root: sysctl kernel.perf_event_paranoid=1";
  }
  return finding;
}

Finding load(const HostState& host) {
  Finding finding = {"load"};
  const probe::Busyness busyness = host.load.busyness;
  finding.found = to_name(probe::kBusyness, busyness);
  std::replace(finding.found.begin(), finding.found.end(), '_', ' ');
  if (busyness != probe::Busyness::quiet) {
    finding.verdict = busyness == probe::Busyness::shared ? Verdict::limited : Verdict::wrong;
    finding.found += ": " + probe::reasons_text(host.load);
    finding.effect = busyness == probe::Busyness::shared
                         ? "times are less certain"
                         : "times that are taken now are not those of this machine";
    finding.remedy = "end other programs; on a shared host, come back at a quieter hour";
  }
  return finding;
}

Finding gpu_of(const HostState& host) {
  Finding finding = {"GPU"};
  if (host.gpu) {
    finding.found = fmt::format("{}, {}, {}", host.gpu->name, host.gpu->architecture,
                                gib_text(host.gpu->memory_bytes));
    return finding;
  }
  finding.verdict = Verdict::missing;
  finding.found = host.no_gpu;
  finding.effect =
      "run --device gpu and probe --gpu are refused; tune --device gpu works with a "
      "machine file that has a section gpu";
  finding.remedy =
      "a GPU of compute capability 7.5 or later, its driver, and a build with "
      "-DPRESORT_CUDA=on";
  return finding;
}

Finding data(const HostState& host) {
  Finding finding = {"data"};
  if (host.data) {
    finding.found = "machines and grids in " + *host.data;
    return finding;
  }
  finding.verdict = Verdict::missing;
  finding.found = "no folder of bundled machines and grids";
  finding.effect = "machines are known by path alone, and tune needs --grid FILE";
  finding.remedy = "install presort as a whole, or name the folder in PRESORT_DATA";
  return finding;
}

Finding plots(const HostState& host) {
  Finding finding = {"plots"};
  if (host.gnuplot) {
    finding.found = "drawn by " + *host.gnuplot;
    return finding;
  }
  finding.verdict = Verdict::missing;
  finding.found = "gnuplot is not in PATH";
  finding.effect = "reports have tables alone";
  finding.remedy = "install it: apt-get install gnuplot-nox";
  return finding;
}

Finding build(const HostState& host) {
  Finding finding = {"build"};
  finding.found = host.is_optimised ? "optimised" : "without optimisation";
  if (!host.is_optimised) {
    finding.verdict = Verdict::wrong;
    finding.effect = "kernels and simulator are not optimised: measured times mean nothing";
    finding.remedy = "build with -DCMAKE_BUILD_TYPE=Release";
  }
  return finding;
}

Finding machine_file(const FileState& file) {
  Finding finding = {"machine file"};
  finding.found = file.name;
  if (!file.difference.hard.empty()) {
    finding.verdict = Verdict::wrong;
    finding.found += " is of another machine: " + joined(file.difference.hard);
    finding.effect = "its predictions are not for this machine";
    finding.remedy = "presort probe -o machine.yaml";
  } else if (!file.disturbed_probe.empty()) {
    finding.verdict = Verdict::limited;
    finding.found += " was probed while disturbed: " + file.disturbed_probe;
    finding.effect = "its predictions may be off";
    finding.remedy = "probe again at a quieter hour: presort probe -o machine.yaml";
  } else if (!file.difference.soft.empty()) {
    finding.verdict = Verdict::limited;
    finding.found += " differs a little: " + joined(file.difference.soft);
    finding.effect = "its predictions are less certain";
    finding.remedy = "probe again: presort probe -o machine.yaml";
  } else {
    finding.found += " is of this machine";
  }
  return finding;
}

Style style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return Style::good;
    case Verdict::limited:
      return Style::caution;
    case Verdict::wrong:
      return Style::bad;
    case Verdict::missing:
      return Style::faint;
  }
  return Style::faint;
}

}  // namespace

std::vector<Finding> findings_of(const HostState& host) {
  std::vector<Finding> findings = {processor(host), cores(host), memory(host), huge_pages(host),
                                   counters(host),  load(host),  gpu_of(host), data(host),
                                   plots(host),     build(host)};
  if (host.file) {
    findings.push_back(machine_file(*host.file));
  }
  return findings;
}

std::string findings_text(const std::vector<Finding>& findings) {
  return plain_text(findings_lines(findings));
}

std::vector<StyledLine> findings_lines(const std::vector<Finding>& findings) {
  constexpr int kSubject = 13;  // columns that the subject of a finding takes
  constexpr int kVerdict = 9;   // columns that the verdict of a finding takes
  std::vector<StyledLine> lines;
  const auto below = [&lines](const char* mark, const std::string& sentence) {
    if (!sentence.empty()) {
      lines.push_back({.text = fmt::format("{:{}}{}  {}", "", kSubject + kVerdict, mark,
                                           displayable_line(sentence))});
    }
  };
  for (const Finding& finding : findings) {
    const std::string verdict = to_name(kVerdicts, finding.verdict);
    lines.push_back({.text = fmt::format("{:{}}{:{}}  {}", finding.subject, kSubject, verdict,
                                         kVerdict - 2, displayable_line(finding.found)),
                     .style = style_of(finding.verdict),
                     .begin = kSubject,
                     .bytes = verdict.size()});
    below("so", finding.effect);
    below("do", finding.remedy);
  }
  std::string summary;
  for (const Named<Verdict>& row : kVerdicts) {
    const auto count =
        std::count_if(findings.begin(), findings.end(),
                      [&row](const Finding& finding) { return finding.verdict == row.value; });
    if (count > 0) {
      summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, row.name);
    }
  }
  lines.emplace_back();
  lines.push_back({.text = summary + "."});
  return lines;
}

}  // namespace presort::app
