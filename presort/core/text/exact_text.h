// Numbers with units as text that parses back to exactly the same double.
#pragma once

#include <string>

namespace presort::inline v0 {

std::string exact_number(double value);
std::string exact_cycles(double cycles);
std::string exact_ns(double ns);
std::string exact_frequency(double hz);
std::string exact_bandwidth(double bytes_per_second);
std::string exact_per_second(double rate);

}  // namespace presort
