// The common style of a validation's plots.
#pragma once

#include <string>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

// The two colours of the plots stay apart for colour-blind eyes and in grey.
inline constexpr char kDirectColor[] = "#d95f02";
inline constexpr char kTunedColor[] = "#1f5fa8";

inline constexpr char kPlotStyle[] =
    "set border 3 lc rgb '#666666'\n"
    "set grid ytics lc rgb '#e4e4e4' lt 1\n"
    "set tics nomirror\n"
    "set key outside right top vertical Left reverse spacing 1.25 samplen 2.4\n";

const Point& tuned_point(const ProblemRow& row);
const Point& direct_point(const ProblemRow& row);

double log2_m(const ProblemRow& row);

// A tic label of a plot's axis over m: "'2^{10}' 4.5".
std::string m_tic(const ProblemRow& row, double position);

}  // namespace presort::app
