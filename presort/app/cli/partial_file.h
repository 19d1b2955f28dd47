// Chooses the path for the incomplete output file of an interrupted command.
#pragma once

#include <functional>
#include <string>

namespace presort::inline v0::app {

// Path of the incomplete file: "out/machine.yaml" -> "out/machine.partial.yaml"
std::string partial_path(const std::string& path);

// Path to write an incomplete file to. It is `path`, if no complete file is lost by that: there is
// no file, an incomplete one, or a device. Otherwise it is partial_path(path), which is named on
// stderr. is_part(p) returns true if the file at p is incomplete, false if it cannot be understood
std::string place_for_part(const std::string& path,
                           const std::function<bool(const std::string&)>& is_part);

}  // namespace presort::app
