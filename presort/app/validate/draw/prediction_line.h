// A prediction as a line of a draw's journal: all that a validation's report takes from it. Numbers come
// back as they were written, to the last bit.
#pragma once

#include "presort/core/prediction.h"
#include "presort/io/json/json_object.h"

namespace presort::inline v0::app {

// JSON: {machine, ns_per_input, ci95_relative, stack_ns{}, phases[{name, kind, ns_per_input,
// stack_ns{}}], last_level{name, bytes_in, bytes_out} (left out without levels), simulated_inputs}.
io::Json prediction_line(const Prediction& prediction);

// A prediction without its problem and plan; of its levels only the last. `kind` is the number of a
// PhaseKind.
// Errors: InputError "KEY.PATH: found …, accepted: …"
Prediction read_prediction(const io::JsonObject& json);

}  // namespace presort::app
