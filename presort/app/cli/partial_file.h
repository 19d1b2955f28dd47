// Where a command that was interrupted puts the part of a file that it has.
#pragma once

#include <functional>
#include <string>

namespace presort::inline v0::app {

// Path of the partial file: "out/machine.yaml" -> "out/machine.partial.yaml"
std::string partial_path(const std::string& path);

// Where to write a partial file: at `path` if nothing is lost by it, because no file is at `path`,
// or a partial one, or a device. Otherwise partial_path(path), and stderr says so. is_part: whether
// the file at a path is partial; a file that cannot be understood is not
std::string place_for_part(const std::string& path,
                           const std::function<bool(const std::string&)>& is_part);

}  // namespace presort::app
