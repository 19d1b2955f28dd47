// Reads files with one JSON object on each line.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "presort/io/files/compressed_text.h"
#include "presort/io/json/json_object.h"

namespace presort::inline v0::io {

// A function that reads the JSON object of a line; `place` is "FILE:LINE".
using ReadJsonLine =
    std::function<void(const nlohmann::ordered_json& line, const std::string& place)>;

// Calls `read` for each line that is not empty. `what` names a line: "line of a loops.jsonl".
// Errors: InputError "FILE:LINE: …" for a line that is not JSON, or longer or deeper than
//         io/limits.h allows, or that read() refuses, or when there is none
void for_each_json_line(const std::string& text, const std::string& file, const std::string& what,
                        const ReadJsonLine& read);

}  // namespace presort::io
