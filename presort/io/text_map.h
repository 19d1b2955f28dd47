// Free text with free keys: the provenance of a machine, the fingerprint of a tuned file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {

using TextPairs = std::vector<std::pair<std::string, std::string>>;

// The entries of a YAML map in the order of the file; nested maps become dotted keys ({uncertainty:
// {L3.latency: 4%}} gives "uncertainty.L3.latency"). The entry with the key `except` is left out.
// Errors: InputError for lists, missing values, and keys that come out equal.
TextPairs read_text_pairs(const ValueReader& value, std::string_view except = {});

}  // namespace presort::io
