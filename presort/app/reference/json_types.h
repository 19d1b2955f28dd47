// The field tables of objects that several JSON documents hold.
#pragma once

#include "presort/app/reference/json_fields.h"

namespace presort::inline v0::app::json {

extern const JsonType kProblemType;  // fields of a problem, on docs/reference/problem-keys.md
extern const JsonType kPlanType;     // fields of a plan, on docs/reference/plan-keys.md
extern const JsonType kMachineType;  // fields of a machine, on docs/reference/machine-keys.md

extern const JsonType kProvenance;
extern const JsonType kMachineLoad;
extern const JsonType kTimeStack;
extern const JsonType kLevel;
extern const JsonType kTlb;
extern const JsonType kStorage;
extern const JsonType kErrors;
extern const JsonType kRegime;
extern const JsonType kCalibration;

// Field tables of whole JSON documents, defined in json_runs.cpp, json_campaigns.cpp,
// json_machines.cpp and json_validation.cpp.
extern const JsonType kRun;
extern const JsonType kRuns;
extern const JsonType kRunFiles;
extern const JsonType kCampaign;
extern const JsonType kCampaignStatus;
extern const JsonType kProbe;
extern const JsonType kProbeCompare;
extern const JsonType kProbeDisk;
extern const JsonType kFit;
extern const JsonType kSelfcheck;
extern const JsonType kMachines;
extern const JsonType kDoctor;
extern const JsonType kValidate;
extern const JsonType kValidateGpu;
extern const JsonType kResult;
extern const JsonType kLoops;
extern const JsonType kLoopLine;

// Fields that many JSON tables share.
inline constexpr JsonField kProvenanceField = {"provenance", "", "how the figures came about",
                                               Holds::object, &kProvenance};
inline constexpr JsonField kMachineField = {"machine", "text", "name of the machine"};
inline constexpr JsonField kMachineValues = {"machine_values", "", "every value of the machine",
                                             Holds::object, &kMachineType};
inline constexpr JsonField kProblemField = {"problem", "", "what was computed", Holds::object,
                                            &kProblemType};
inline constexpr JsonField kPlanField = {"plan", "", "how it was computed", Holds::object,
                                         &kPlanType};
inline constexpr JsonField kComplete = {"complete", "true/false",
                                        "false: interrupted, or the input ended with an error"};
inline constexpr JsonField kTooBusy = {
    "too_busy", "true/false",
    "the machine was too busy for the figures to be believed; null: nothing was timed here"};
inline constexpr JsonField kLoadField = {"machine_load", "",
                                         "how busy the machine was; null: nothing was timed here",
                                         Holds::object, &kMachineLoad};
inline constexpr JsonField kDisturbedProbe = {
    "disturbed_probe", "text",
    "what disturbed the probe of the machine file: load: too_busy, or poor values; null: nothing"};
inline constexpr JsonField kStackField = {"stack_ns", "",
                                          "where the time goes; the terms add up to the time",
                                          Holds::object, &kTimeStack};
inline constexpr JsonField kLevels = {"levels", "", "counts of each cache level, nearest first",
                                      Holds::list, &kLevel};
inline constexpr JsonField kTlbField = {"tlb", "", "counts of each TLB level, nearest first",
                                        Holds::list, &kTlb};
inline constexpr JsonField kWalks = {"walks", "count", "page walks"};
inline constexpr JsonField kStorageField = {
    "storage",     "",        "counts of the block device, where the machine has one",
    Holds::object, &kStorage, When::sometimes};
inline constexpr JsonField kSimulatedAccesses = {
    "simulated_accesses", "count", "loads, stores and prefetches, those that warm caches included"};
inline constexpr JsonField kSeconds = {"seconds", "s", "wall time of the simulation"};
inline constexpr JsonField kRate = {"accesses_per_second", "1/s",
                                    "simulated_accesses over seconds"};
inline constexpr JsonField kErrorText = {
    "error",      "text",  "why the trace could not be read further",
    Holds::value, nullptr, When::sometimes};
inline constexpr JsonField kSchemaField = {"schema", "text",
                                           "kind and version of the document, as in the heading"};

}  // namespace presort::app::json
