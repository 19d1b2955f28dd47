// The topics of `presort help TOPIC` beside the subcommands: the pages of docs/reference/.
#pragma once

#include <vector>

#include "presort/io/reference/references.h"

namespace presort::inline v0::app {

// Help topics: file formats (io) first, then the command. A test compares each with its page.
const std::vector<io::Reference>& help_topics();

}  // namespace presort::app
