// The terminal that text is written to: how wide it is, and whether it shows colours.
#pragma once

namespace presort::inline v0::app {

struct Terminal {
  int columns = 0;       // width in columns; 0: no terminal, or one that does not tell its width
  bool colours = false;  // true: text may be coloured
};

// The terminal behind a file descriptor, asked anew by each call, as its window may change.
// Colours: on a terminal only, and there by wants_colours of the environment's NO_COLOR and TERM.
Terminal terminal_of(int descriptor);

// True if the user of a terminal wants colours, by variables of the environment; nullptr for one that
// is not set.
// no_color: https://no-color.org: any value but "" asks for no colours
// term:     "dumb", and none, name a terminal without colours
bool wants_colours(const char* no_color, const char* term);

}  // namespace presort::app
