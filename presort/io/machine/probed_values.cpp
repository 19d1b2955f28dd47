#include "presort/io/machine/probed_values.h"

#include <algorithm>

#include "presort/core/fields/field_text.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/fields/field_reader.h"
#include "presort/io/fields/field_writer.h"
#include "presort/io/text_map.h"

namespace presort::inline v0::io {
namespace {

constexpr char kProbed[] = "probed";

// In older files, the prefix of the flat keys that stand for one key of a probed value.
struct FlatKey {
  std::string_view prefix;
  std::string_view key;
};
constexpr FlatKey kFlatKeys[] = {
    {"measured.", "value"}, {"uncertainty.", "uncertainty"}, {"quality.", "quality"}};
constexpr std::string_view kQualityPrefix = "quality.";

std::vector<ProbedValue> read_probed(const ValueReader& value) {
  std::vector<ProbedValue> values;
  MapReader map = value.map();
  for (const auto& [key, entry] : map.entries()) {
    FieldReader().read(entry, fields::kProbedValue, &values.emplace_back());
    values.back().key = key;
  }
  return values;
}

std::string take(TextPairs& notes, const std::string& key) {
  const auto found =
      std::find_if(notes.begin(), notes.end(), [&](const auto& note) { return note.first == key; });
  if (found == notes.end()) {
    return "";
  }
  const std::string text = std::move(found->second);
  notes.erase(found);
  return text;
}

// Builds a probed value from the flat keys that end in `key`, and removes them from the free text
// of the provenance.
ProbedValue take_flat(TextPairs& notes, const std::string& key, const YamlDocument& document) {
  ProbedValue value;
  for (const FlatKey& flat : kFlatKeys) {
    const std::string name = std::string(flat.prefix) + key;
    const std::string text = take(notes, name);
    const std::string path = "provenance." + name;
    try {
      if (!text.empty()) {
        assign_text(*find_row(fields::kProbedValue, flat.key), &value, path, text, 0);
      }
    } catch (const InputError& error) {
      throw InputError(place_of_path(document, path) + ": " + error.what());
    }
  }
  value.key = key;
  return value;
}

std::vector<ProbedValue> take_all_flat(TextPairs& notes, const YamlDocument& document) {
  std::vector<std::string> keys;
  for (const auto& [name, text] : notes) {
    if (name.starts_with(kQualityPrefix)) {
      keys.push_back(name.substr(kQualityPrefix.size()));
    }
  }
  std::vector<ProbedValue> values;
  for (const std::string& key : keys) {
    values.push_back(take_flat(notes, key, document));
  }
  return values;
}

}  // namespace

void read_provenance(const YamlDocument& document, const ValueReader& value, Machine& machine) {
  machine.provenance = read_text_pairs(value, kProbed);
  machine.probed = take_all_flat(machine.provenance, document);
  MapReader map = value.map();
  if (const auto probed = map.optional(kProbed)) {
    for (ProbedValue& each : read_probed(*probed)) {
      machine.probed.push_back(std::move(each));
    }
  }
}

std::string provenance_text(const Machine& machine) {
  std::string text = text_map_block("provenance", "", machine.provenance);
  if (machine.probed.empty()) {
    return text;
  }
  text += text.empty() ? "provenance:\n" : "";
  text.append("  ").append(kProbed).append(":\n");
  for (const ProbedValue& value : machine.probed) {
    FlowMap map;
    add_fields(map, fields::kProbedValue, &value);
    text += "    " + yaml_scalar(value.key) + ": " + map.str() + "\n";
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> flat_provenance(const Machine& machine) {
  std::vector<std::pair<std::string, std::string>> flat = machine.provenance;
  for (const ProbedValue& value : machine.probed) {
    for (const auto& [prefix, key] : kFlatKeys) {
      const Field& row = *find_row(fields::kProbedValue, key);
      const bool uncertain = key == "uncertainty" && is_measured(value.quality);
      if (row.presence == Presence::required || uncertain ||
          !is_default(fields::kProbedValue, row, &value)) {
        flat.emplace_back(std::string(prefix) + value.key, field_text(row, &value));
      }
    }
  }
  return flat;
}

}  // namespace presort::io
