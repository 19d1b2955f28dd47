#include "presort/app/machines/machine_override.h"

#include <fmt/format.h>

#include <utility>

#include "presort/core/error.h"
#include "presort/core/fields/field_places.h"
#include "presort/core/fields/field_text.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/shared_core.h"
#include "presort/core/text/names.h"
#include "presort/io/machine/machine_costs.h"

namespace presort::inline v0::app {

namespace {

constexpr char kSiblings[] = "cpu.siblings";

void set_siblings(Machine& machine, const std::string& value) {
  if (value != "idle" && value != "busy") {
    throw InputError(
        fmt::format("--set {}: found {}, accepted: idle, busy", kSiblings, quoted_text(value)));
  }
  if (value == "busy" && machine.threads_per_core == 1) {
    throw InputError(fmt::format("--set {}: {} has one thread a core (cpu.threadsPerCore)",
                                 kSiblings, machine.name));
  }
  if (value == "busy") {
    machine = beside_busy_siblings(machine);
  }
}

// The machine keys that share the most leading parts with `key`: those of one cache level, of all
// levels, or of the processor.
std::vector<std::string> keys_near(const std::string& key, const std::vector<std::string>& keys) {
  std::vector<std::string> near;
  for (size_t dot = key.rfind('.'); near.empty() && dot != std::string::npos && dot > 0;
       dot = key.rfind('.', dot - 1)) {
    for (const std::string& other : keys) {
      if (other.starts_with(key.substr(0, dot + 1))) {
        near.push_back(other);
      }
    }
  }
  return near;
}

// Refuses a key of a section about GPUs that the machine does not have.
void require_section(const Machine& machine, const std::string& key) {
  for (const auto& [section, is_there] :
       {std::pair{"gpuHardware", machine.gpu_hardware.has_value()},
        {"gpu", machine.gpu.has_value()}}) {
    if (!is_there && key.starts_with(fmt::format("{}.", section))) {
      throw InputError(
          fmt::format("--set: found {}, but machine '{}' has no section {}; accepted: a machine "
                      "with one, such as h200",
                      quoted_text(key), machine.name, section));
    }
  }
}

[[noreturn]] void refuse_key(const Machine& machine, const std::string& key) {
  require_section(machine, key);
  if (const RetiredKey* retired = find_retired(fields::kMachine, key)) {
    throw InputError(
        fmt::format("--set: found {}, which is {}", quoted_text(key), ignored_text(*retired)));
  }
  const std::vector<std::string> keys = settable_keys(machine);
  const std::vector<std::string> near = keys_near(key, keys);
  if (!near.empty()) {
    throw InputError(unknown_name_message("--set", key, near));
  }
  const std::string nearest = nearest_spelling(key, keys);
  throw InputError(fmt::format(
      "--set: found {}, accepted: a key of machine files with the names of levels, such as "
      "cpu.clock, cpu.caches.{}.size, memory.latency{}",
      quoted_text(key), machine.caches.front().name,
      nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
}

void set_value(Machine& machine, const FieldPlace& place, const std::string& value) {
  const std::string path = "--set " + place.name;
  if (!std::holds_alternative<FileAccess>(place.field->access)) {
    assign_text(*place.field, place.object, path, value, place.clock_hz);
    return;
  }
  io::read_costs(value, "", machine, [&](const std::string& accepted) {
    throw InputError(fmt::format("{}: found {}, accepted: {}", path, quoted_text(value), accepted));
  });
}

void set_key(Machine& machine, const std::string& key, const std::string& value) {
  if (key == kSiblings) {
    set_siblings(machine, value);
    return;
  }
  for (const FieldPlace& place : field_places(fields::kMachine, &machine)) {
    if (place.name == key || place.path == key) {
      set_value(machine, place, value);
      return;
    }
  }
  refuse_key(machine, key);
}

}  // namespace

std::vector<std::string> settable_keys(const Machine& machine) {
  Machine copy = machine;
  std::vector<std::string> keys;
  for (const FieldPlace& place : field_places(fields::kMachine, &copy)) {
    keys.push_back(place.name);
  }
  keys.emplace_back(kSiblings);
  return keys;
}

void set_machine_value(Machine& machine, const std::string& assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    throw InputError(fmt::format("--set: found '{}', accepted: KEY=VALUE, e.g. memory.latency=90ns",
                                 assignment));
  }
  set_key(machine, assignment.substr(0, equals), assignment.substr(equals + 1));
  if (const auto problem = find_machine_problem(machine)) {
    throw InputError(
        fmt::format("--set {}: {}: {}", assignment, problem->key_path, problem->message));
  }
}

}  // namespace presort::app
