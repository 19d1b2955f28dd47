#include "presort/core/labels/distribution.h"

#include <optional>

#include "presort/core/text/decimal.h"
#include "presort/core/text/display_text.h"
#include "presort/core/text/names.h"

namespace presort::inline v0 {
namespace {

enum class ParameterKind { none, number, path };

struct Row {
  std::string_view name;
  DistributionKind kind;
  ParameterKind parameter;
  std::string_view form;  // text of a kind on the command line
};

constexpr Row kRows[] = {
    {"uniform", DistributionKind::uniform, ParameterKind::none, "uniform"},
    {"zipf", DistributionKind::zipf, ParameterKind::number, "zipf:S with 0 < S <= 8"},
    {"zipf-contiguous", DistributionKind::zipfContiguous, ParameterKind::number,
     "zipf-contiguous:S with 0 < S <= 8"},
    {"clustered", DistributionKind::clustered, ParameterKind::number,
     "clustered:K with 1 <= K <= 1048576"},
    {"sequential", DistributionKind::sequential, ParameterKind::none, "sequential"},
    {"sorted", DistributionKind::sorted, ParameterKind::none, "sorted"},
    {"permutation", DistributionKind::permutation, ParameterKind::none, "permutation"},
    {"degenerate", DistributionKind::degenerate, ParameterKind::none, "degenerate"},
    {"file", DistributionKind::file, ParameterKind::path, "file:PATH"},
};

const Row& row_named(std::string_view key, std::string_view name) {
  std::vector<std::string> names;
  for (const Row& row : kRows) {
    if (row.name == name) {
      return row;
    }
    names.emplace_back(row.name);
  }
  throw InputError(unknown_name_message(key, name, names));
}

const Row& row_of(DistributionKind kind) {
  for (const Row& row : kRows) {
    if (row.kind == kind) {
      return row;
    }
  }
  throw Error("a distribution without a row in its table");
}

bool in_range(DistributionKind kind, double parameter) {
  return kind == DistributionKind::clustered ? parameter >= 1 && parameter <= kMaxClusterLength
                                             : parameter > 0 && parameter <= kMaxZipfExponent;
}

std::optional<double> parse_parameter(DistributionKind kind, std::string_view text) {
  const auto scanned = scan_decimal(text);
  if (!scanned || !scanned->rest.empty()) {
    return std::nullopt;
  }
  const auto value = to_double(scanned->value, 0, 0);
  return value && in_range(kind, *value) ? value : std::nullopt;
}

[[noreturn]] void reject(std::string_view key, std::string_view found, const Row& row) {
  throw InputError(std::string(key) + ": found " + quoted_text(found) +
                   ", accepted: " + std::string(row.form));
}

}  // namespace

Distribution parse_distribution(std::string_view key, std::string_view text) {
  const size_t colon = text.find(':');
  const Row& row = row_named(key, text.substr(0, colon));
  const bool has_parameter = colon != std::string_view::npos;
  const std::string_view parameter = has_parameter ? text.substr(colon + 1) : "";
  Distribution distribution;
  distribution.kind = row.kind;
  bool accepted = has_parameter == (row.parameter != ParameterKind::none);
  if (accepted && row.parameter == ParameterKind::number) {
    const auto value = parse_parameter(row.kind, parameter);
    accepted = value.has_value();
    distribution.parameter = value.value_or(0);
  }
  if (accepted && row.parameter == ParameterKind::path) {
    accepted = !parameter.empty();
    check_displayable(key, parameter);
    distribution.path = parameter;
  }
  if (!accepted) {
    reject(key, text, row);
  }
  return distribution;
}

std::vector<std::string> distribution_forms() {
  std::vector<std::string> forms;
  for (const Row& row : kRows) {
    forms.emplace_back(row.form);
  }
  return forms;
}

std::string to_string(const Distribution& distribution) {
  const Row& row = row_of(distribution.kind);
  std::string text(row.name);
  if (row.parameter != ParameterKind::none) {
    text += ':';
    text += row.parameter == ParameterKind::path ? distribution.path
                                                 : shortest_text(distribution.parameter, 0);
  }
  return text;
}

void check_distribution(std::string_view key, const Distribution& distribution) {
  const Row& row = row_of(distribution.kind);
  check_displayable(key, distribution.path);
  if (row.parameter == ParameterKind::number &&
      !in_range(distribution.kind, distribution.parameter)) {
    reject(key, std::string(row.name) + ":" + std::to_string(distribution.parameter), row);
  }
}

}  // namespace presort
