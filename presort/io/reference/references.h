// The reference documentation in docs/reference/, made from the field tables; a test keeps the
// pages current.
#pragma once

#include <string>
#include <vector>

namespace presort::inline v0::io {

struct Reference {
  std::string name;     // name of the page: `presort help NAME`, docs/reference/NAME.md
  std::string purpose;  // purpose of the page, one line
  std::string (*text)();
};

const std::vector<Reference>& references();

}  // namespace presort::io
