// Facts of a report page: a machine and the program that made its results, by name and value. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/page/page_data.h"
#include "presort/core/machine/machine.h"
#include "presort/io/json/report_lines.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app::page {

// Clock, cores, caches, memory, and the program; what is not known is left out.
Facts facts_of(const io::RecordedMachine& machine, const io::Provenance& provenance);

// The values of a machine that facts and ceilings need, as result lines carry them.
io::RecordedMachine recorded_machine(const Machine& machine);

// Memory bandwidth that so many threads have, bytes/s; 0: not known.
double memory_ceiling(const io::RecordedMachine& machine, int threads);

// Bytes per input of the simulated sample that moved between the last cache and memory; no value
// where the prediction counted none, as in closed form.
std::optional<double> memory_bytes(const Prediction& prediction);

}  // namespace presort::app::page
