// Where results go.
#pragma once

#include <string>
#include <vector>

#include "io/result_json.h"

namespace presort::app {

// Refuses an output before the work, not after it.
// Errors: InputError when a file at `path` could not be created or replaced
void require_writable(const std::string& path);

// Creates the folder with its parents, where files of these names can then be written.
// Errors: InputError
void make_folder(const std::string& path, const std::vector<std::string>& files);

// One JSON document on stdout.
void print_json(const io::Json& document);

}  // namespace presort::app
