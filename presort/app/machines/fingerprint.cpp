#include "presort/app/machines/fingerprint.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include "presort/app/printing/notes.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/probe/host/topology.h"

namespace presort::inline v0::app {

namespace {

void add_process_fields(Fingerprint& print, const io::Provenance& provenance) {
  utsname names = {};
  uname(&names);
  print.hard.emplace_back("isa", names.machine);
  print.hard.emplace_back("kernels", provenance.tool_version);
  print.soft.emplace_back("compiler", provenance.compiler);
  print.soft.emplace_back("kernel", provenance.kernel);
}

void add_cache(Fingerprint& print, const std::string& level, uint64_t size_bytes, uint64_t ways,
               uint64_t line_bytes) {
  print.hard.emplace_back(level + ".size", format_bytes(size_bytes));
  if (ways != 0) {
    print.hard.emplace_back(level + ".ways", std::to_string(ways));
  }
  print.hard.emplace_back(level + ".line", format_bytes(line_bytes));
}

}  // namespace

Fingerprint make_fingerprint(const Machine& machine, const io::Provenance& provenance) {
  Fingerprint print;
  add_process_fields(print, provenance);
  for (const CacheLevel& level : machine.caches) {
    add_cache(print, level.name, level.size_bytes, level.ways, level.line_bytes);
  }
  print.soft.emplace_back("clock", format_frequency(machine.clock_hz));
  return print;
}

Fingerprint host_fingerprint(const io::Provenance& provenance) {
  Fingerprint print;
  add_process_fields(print, provenance);
  for (const probe::AnnouncedCache& cache : probe::this_topology().caches) {
    const std::string name = cache.level == 1 ? "L1d" : fmt::format("L{}", cache.level);
    add_cache(print, name, cache.size_bytes, cache.ways, cache.line_bytes);
  }
  return print;
}

void require_fingerprint(const std::string& path, const Fingerprint& file, const Fingerprint& here,
                         bool force) {
  const FingerprintDifference difference = compare_fingerprints(file, here);
  if (!difference.hard.empty() && !force) {
    throw InputError(other_machine_message(path, difference) + "; --force uses it anyway");
  }
  for (const auto& sentences : {difference.hard, difference.soft}) {
    for (const std::string& sentence : sentences) {
      warn("{}: {}", path, sentence);
    }
  }
}

}  // namespace presort::app
