// Texts that every report page contains, so that it fetches nothing. assets.cmake puts them into the
// command.
#pragma once

#include <string_view>

namespace presort::inline v0::app::page {

extern const std::string_view kPageCss;
extern const std::string_view kPageJs;
extern const std::string_view kUplotCss;  // third_party/uplot-1.6.32
extern const std::string_view kUplotJs;
extern const std::string_view kUplotLicence;

}  // namespace presort::app::page
