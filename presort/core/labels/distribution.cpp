#include "presort/core/labels/distribution.h"

#include <cmath>
#include <optional>

#include "presort/core/text/decimal.h"
#include "presort/core/text/display_text.h"
#include "presort/core/text/names.h"

namespace presort::inline v0 {
namespace {

struct Row {
  std::string_view name;
  DistributionKind kind;
  size_t numbers;  // how many of the parameters are numbers
  bool path;       // true: the parameter is a path
  // How the distribution is written on the command line: "zipf:S with 0 < S <= 8"
  std::string_view form;
};

constexpr Row kRows[] = {
    {"uniform", DistributionKind::uniform, 0, false, "uniform"},
    {"zipf", DistributionKind::zipf, 1, false, "zipf:S with 0 < S <= 8"},
    {"zipf-contiguous", DistributionKind::zipfContiguous, 1, false,
     "zipf-contiguous:S with 0 < S <= 8"},
    {"clustered", DistributionKind::clustered, 1, false, "clustered:K with 1 <= K <= 1048576"},
    {"sequential", DistributionKind::sequential, 0, false, "sequential"},
    {"sorted", DistributionKind::sorted, 0, false, "sorted"},
    {"permutation", DistributionKind::permutation, 0, false, "permutation"},
    {"degenerate", DistributionKind::degenerate, 0, false, "degenerate"},
    {"rmat", DistributionKind::rmat, 3, false,
     "rmat:A:B:C with A, B, C >= 0, A + B + C <= 1 and 0.01 <= A + C <= 0.99"},
    {"words", DistributionKind::words, 2, false, "words:S:Q with 0 < S <= 8 and 0 <= Q <= 1048576"},
    {"cells", DistributionKind::cells, 1, false, "cells:K with a whole number 0 <= K <= 1024"},
    {"sessions", DistributionKind::sessions, 2, false,
     "sessions:L:A with 1 <= L <= 1048576 and 0 < A <= 1"},
    {"strays", DistributionKind::strays, 1, false, "strays:P with 0 <= P <= 1"},
    {"file", DistributionKind::file, 0, true, "file:PATH"},
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

bool within(double value, double least, double most) {
  return value >= least && value <= most;
}

// True if the parameters of a distribution lie in the ranges that its kind allows.
bool in_range(const Distribution& of) {
  const double first = of.parameter;
  const auto [second, third] = of.more;
  switch (of.kind) {
    case DistributionKind::zipf:
    case DistributionKind::zipfContiguous:
      return first > 0 && first <= kMaxZipfExponent;
    case DistributionKind::clustered:
      return within(first, 1, kMaxClusterLength);
    case DistributionKind::rmat:
      return within(first, 0, 1) && within(second, 0, 1) && within(third, 0, 1) &&
             first + second + third <= 1 + 1e-12 && within(first + third, 0.01, 0.99);
    case DistributionKind::words:
      return first > 0 && first <= kMaxZipfExponent && within(second, 0, kMaxWordShift);
    case DistributionKind::cells:
      return within(first, 0, kMaxMove) && first == std::floor(first);
    case DistributionKind::sessions:
      return within(first, 1, kMaxClusterLength) && second > 0 && second <= 1;
    case DistributionKind::strays:
      return within(first, 0, 1);
    default:
      return true;
  }
}

double& number_of(Distribution& of, size_t index) {
  return index == 0 ? of.parameter : of.more[index - 1];
}

// Reads the numbers of a distribution's text, with colons between them. False unless they are
// `count` numbers.
bool read_numbers(std::string_view text, size_t count, Distribution& into) {
  for (size_t index = 0; index < count; ++index) {
    const size_t colon = text.find(':');
    if ((colon == std::string_view::npos) != (index + 1 == count)) {
      return false;
    }
    const auto scanned = scan_decimal(text.substr(0, colon));
    const auto value =
        scanned && scanned->rest.empty() ? to_double(scanned->value, 0, 0) : std::nullopt;
    if (!value) {
      return false;
    }
    number_of(into, index) = *value;
    text.remove_prefix(colon == std::string_view::npos ? text.size() : colon + 1);
  }
  return true;
}

std::string numbers_text(const Distribution& of, size_t count) {
  std::string text;
  for (size_t index = 0; index < count; ++index) {
    const double number = index == 0 ? of.parameter : of.more[index - 1];
    text += ':' + shortest_text(number, 0);
  }
  return text;
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
  bool accepted = has_parameter == (row.path || row.numbers > 0);
  if (accepted && row.numbers > 0) {
    accepted = read_numbers(parameter, row.numbers, distribution) && in_range(distribution);
  }
  if (accepted && row.path) {
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
  return std::string(row.name) + numbers_text(distribution, row.numbers) +
         (row.path ? ":" + distribution.path : "");
}

bool known_by_looking(DistributionKind kind) {
  switch (kind) {
    case DistributionKind::file:
    case DistributionKind::rmat:
    case DistributionKind::words:
    case DistributionKind::cells:
    case DistributionKind::sessions:
    case DistributionKind::strays:
      return true;
    default:
      return false;
  }
}

void check_distribution(std::string_view key, const Distribution& distribution) {
  const Row& row = row_of(distribution.kind);
  check_displayable(key, distribution.path);
  if (!in_range(distribution)) {
    std::string found(row.name);
    for (size_t index = 0; index < row.numbers; ++index) {
      const double number = index == 0 ? distribution.parameter : distribution.more[index - 1];
      found += ':' + std::to_string(number);
    }
    reject(key, found, row);
  }
}

}  // namespace presort
