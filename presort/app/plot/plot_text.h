// Makes texts safe for gnuplot scripts. A name comes from a user's file or command line and may
// hold anything; gnuplot can run programs, so no name may end the quotes around it.
#pragma once

#include <string>
#include <string_view>

namespace presort::inline v0::app {

// The characters of plot_text(): letters, digits, and marks that mean nothing to gnuplot inside
// quotes, neither to its parser (' " ` \ $ @ and line ends do) nor to its formats (%) nor to its
// markup ({ }) nor as a name of a file (< > |).
inline constexpr std::string_view kPlotAlphabet =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;+()/^=[]*#?";

// A text as gnuplot can show it: at most 160 characters of kPlotAlphabet. "%" becomes " percent";
// every other character outside the alphabet, and every byte that is not UTF-8, becomes "?". Longer
// text ends in "...".
std::string plot_text(std::string_view text);

// A gnuplot argument of a title, a label or a key: "'TEXT' noenhanced", shown as it is (no markup).
std::string in_plot_quotes(std::string_view text);

// A tic label of an axis, for which noenhanced is set: "'TEXT' POSITION".
std::string quoted_tic(std::string_view text, double position);

}  // namespace presort::app
