// Manual pages in roff, made of the option tables: presort(1), and one page for each subcommand.
#pragma once

#include <string>

namespace presort::inline v0::app {

// presort(1): subcommands, pages of help, files, environment, exit status.
// The date of a page is that of $SOURCE_DATE_EPOCH (seconds), or today.
std::string man_page();

// The manual page presort-NAME(1) of a subcommand.
// Errors: InputError with the nearest spelling
std::string man_page_of(const std::string& subcommand);

}  // namespace presort::app
