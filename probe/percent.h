// "12.3%": how a part is written in warnings and in the provenance.
#pragma once

#include <string>

namespace presort::probe {

std::string percent(double ratio);

}  // namespace presort::probe
