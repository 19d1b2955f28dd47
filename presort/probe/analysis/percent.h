// Shares as percent text, "12.3%", for warnings and the provenance.
#pragma once

#include <string>

namespace presort::inline v0::probe {

std::string percent(double ratio);

}  // namespace presort::probe
