// "12.3%": how a share is written in warnings and in the provenance.
#pragma once

#include <string>

namespace presort::inline v0::probe {

std::string percent(double ratio);

}  // namespace presort::probe
