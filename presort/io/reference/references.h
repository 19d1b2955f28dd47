// The reference documentation of files, docs/reference/: made of the field tables, kept by a test.
#pragma once

#include <string>
#include <vector>

namespace presort::inline v0::io {

struct Reference {
  std::string name;     // NAME in `presort help NAME` and docs/reference/NAME.md
  std::string purpose;  // purpose of the page, one line
  std::string (*text)();
};

const std::vector<Reference>& references();

}  // namespace presort::io
