// Times on a page, where those of a GPU stand beside those of a core.
#pragma once

#include <fmt/format.h>

#include <string>

#include "presort/app/printing/text.h"

namespace presort::inline v0::app::page {

// A time, ns an input, as text: below 0.1 with three significant digits, "0.00174", else as format_ns
// writes it.
inline std::string ns_words(double ns) {
  return ns > 0 && ns < 0.1 ? fmt::format("{:.3g}", ns) : format_ns(ns);
}

}  // namespace presort::app::page
