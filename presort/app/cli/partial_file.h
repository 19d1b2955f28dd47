// Chooses the place for the part of a file that an interrupted command has.
#pragma once

#include <functional>
#include <string>

namespace presort::inline v0::app {

// Path of the partial file: "out/machine.yaml" -> "out/machine.partial.yaml"
std::string partial_path(const std::string& path);

// Where to write a partial file. At `path`, if no complete file is lost by it: there is no file, a
// partial one, or a device. Otherwise at partial_path(path), which stderr names. is_part: true for
// a path whose file is partial; false if it cannot be understood
std::string place_for_part(const std::string& path,
                           const std::function<bool(const std::string&)>& is_part);

}  // namespace presort::app
