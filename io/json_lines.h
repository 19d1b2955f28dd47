// Files of one JSON object a line, plain or compressed with gzip.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace presort::io {

// The text of a file, uncompressed.
// Errors: EnvironmentError when it cannot be read, InputError when the compressed data are damaged
std::string read_maybe_compressed(const std::string& path);

// Calls read(object) for each line that is not empty. `what` names a line: "line of a loops.jsonl".
// Errors: InputError "FILE:LINE: …" for a line that is not JSON or that read() refuses, and when
//         there is none
void for_each_json_line(const std::string& text, const std::string& file, const std::string& what,
                        const std::function<void(const nlohmann::ordered_json&)>& read);

}  // namespace presort::io
