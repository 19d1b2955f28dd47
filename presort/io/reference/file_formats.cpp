#include "presort/io/reference/file_formats.h"

namespace presort::inline v0::io {
namespace {

constexpr FileKey kTunedKeys[] = {
    {"presort", "`tuned/1`", "required", "kind and version of the file"},
    {"machine", "a name", "required", "machine that the plans were chosen for"},
    {"fingerprint", "two maps of text, `hard` and `soft`", "required",
     "what ties the file to a machine: `run` refuses the file where a hard value differs, and "
     "warns "
     "where a soft one does"},
    {"provenance", "a map of text", "none", "how the file came about"},
    {"complete", "`true`, `false`", "`true`",
     "false: tuning was interrupted, problems are missing"},
    {"entryCount", "a whole number", "not checked", "number of entries: tells a file that was cut"},
    {"entries", "a list", "required", "a choice for each problem"},
};

constexpr FileKey kTunedEntryKeys[] = {
    {"device", "`cpu`, `gpu`", "required", "which device the plans are for"},
    {"devices", "2 to 16", "one device",
     "number of GPUs of one host that share the problem, whose n counts the inputs of all; plans "
     "are "
     "those of each device"},
    {"scheme", "`tables`, `rounds`, `inputs`", "required with `devices`",
     "how they share it: each has a table of all buckets; buckets are updated in their owner's "
     "memory in rounds; inputs are sent to the owner of their bucket"},
    {"directScheme", "as `scheme`", "required with `devices`", "the scheme of directPlan"},
    {"runnerUpScheme", "as `scheme`", "required with `devices`", "the scheme of runnerUp"},
    {"problem", "[problem](problem-keys.md)", "required", "the problem"},
    {"plan", "[plan](plan-keys.md)", "required", "the plan that was chosen"},
    {"predictedNsPerInput", "a number", "required", "its time, ns per input"},
    {"directPlan", "[plan](plan-keys.md)", "required", "the best plan without a pre-sort"},
    {"directNsPerInput", "a number", "required", "its time, ns per input"},
    {"runnerUp", "[plan](plan-keys.md)", "required",
     "the best plan of another strategy, sortBits, passes or rangePasses; of several devices the "
     "best "
     "one of another scheme"},
    {"runnerUpNsPerInput", "a number", "required", "its time, ns per input"},
    {"margin", "a number", "not checked",
     "runnerUpNsPerInput / predictedNsPerInput − 1; a file in which it is another is refused"},
    {"matters", "`true`, `false`", "required",
     "false: the margin is inside the model's own error, either plan will do"},
    {"origin", "`model`, `simulation`, `measurement`", "required",
     "what chose the plan: the closed form, the simulator, or timed runs"},
};

constexpr FileKey kCoreCostsKeys[] = {
    {"presort", "`coreCosts/1`", "required", "kind and version of the file"},
    {"machine", "a name", "required", "machine that the costs belong to"},
    {"provenance", "a map of text", "none", "how the file came about"},
    {"clock", "a frequency", "required", "clock that the times are given for"},
    {"dispatchWidth", "a whole number", "required",
     "micro-operations that the core dispatches in a cycle"},
    {"slots", "a map: `plain`, `load`, `store`, `branch`, `prefetch`, `lineMove`", "required",
     "slots of dispatch that one micro-operation of each kind takes"},
    {"points", "a list", "required", "what the costs were fitted to: problem, plan and times"},
    {"leftOut", "a list", "none", "points that the core does not bind"},
};

std::string key_table(std::span<const FileKey> keys) {
  std::string text = "| key | accepted | without it | meaning |\n| --- | --- | --- | --- |\n";
  for (const FileKey& key : keys) {
    text.append("| `").append(key.key).append("` | ").append(key.accepted).append(" | ");
    text.append(key.without).append(" | ").append(key.doc).append(" |\n");
  }
  return text;
}

constexpr char kOverview[] = R"(# Files

This text is what `presort help file-formats` prints. All files are read strictly: unknown keys and values out of their range are refused, with file, line and key. Every YAML file begins with `presort: KIND/VERSION`.

| file | what it holds | written by | read by | keys |
| --- | --- | --- | --- | --- |
| `machine/1`, YAML | a machine | `probe -o`, `fit -o`, by hand | `-m FILE` | [machine keys](machine-keys.md) |
| `coreCosts/1`, YAML | costs of a core | `probe`, `calibrate` | the key `cpu.costs` of a machine file | [below](#core-costs) |
| `problem/1`, YAML | problems | by hand | programs, by `presort/io/plans/problem_file.h` | [problem keys](problem-keys.md) |
| `campaign/1`, YAML | lists of values that are combined | by hand | `campaign` | [campaign keys](campaign-keys.md) |
| campaign journals | rows of finished points, with checksums | `campaign` | `campaign` | – |
| `draw-journal/1`, JSON lines | what an interrupted draw has finished | `validate --draw` | `validate --draw` | – |
| `planGrid/1`, YAML | problems and plans | by hand | `validate --grid`, `tune --plans` | [below](#plan-grids) |
| `tuned/1`, YAML | chosen plans | `tune -o` | `run --tuned`, `validate --tuned`, programs | [below](#tuned-files) |
| labels | one label an input | by hand | `--labels FILE`, `--dist file:FILE` | [below](#label-files) |
| traces | memory accesses | `simulate --record`, other tools | `simulate --trace` | [traces](traces.md) |
| latency matrix | a text dump | MemLatX86, MemLatX64, NewMemLat | `fit --matrix` | – |
| `result/1`, `loop/1`, JSON lines | measured points, loops | `validate -o` | `validate --replay` | [JSON fields](json-fields.md) |

Sizes are limited, so that no file takes gigabytes or minutes before it is refused: 4 MiB of YAML, 128 MiB of JSON lines. Labels are limited by memory alone, traces not at all.

## Plan grids

A plan grid has problems and plans. Every plan is meant for every problem that it fits. `m` may be a list. Keys: [problems](problem-keys.md), [plans](plan-keys.md).

```yaml
presort: planGrid/1
problems:
  - {op: multireduce, n: 2^26, m: [2^10, 2^16, 2^22], dist: uniform, types: u32+u32}
plans:
  - {sortBits: 0}
  - {sortBits: 9, passes: 1, pageSize: 2MiB}
```

## Tuned files

A tuned file has a plan for each problem. A program takes the entry of the same operation, types and kind of labels that is nearest in n and m. Nothing is interpolated.

```yaml
presort: tuned/1
machine: example           # the values are an example, not a measurement
fingerprint:
  hard: {isa: x86-64, L2.size: 2MiB}
  soft: {clock: 3.6GHz}
complete: true
entryCount: 1
entries:
  - device: cpu
    problem: {op: multireduce, n: 2^26, m: 2^24, dist: uniform, types: u32+u32}
    plan: {sortBits: 9, passes: 1, pageSize: 2MiB}
    predictedNsPerInput: 3.4
    directPlan: {sortBits: 0, prefetchDistance: 16, pageSize: 2MiB}
    directNsPerInput: 6.8
    runnerUp: {sortBits: 10, passes: 1, pageSize: 2MiB}
    runnerUpNsPerInput: 3.5
    matters: true
    origin: simulation
```

)";

constexpr char kCoreCostsHeading[] = R"(
## Core costs

A file `NAME.costs.yaml` stands beside a machine file `NAME.yaml`, which names it (`cpu.costs`). Without one, each micro-operation takes one slot of dispatch.

)";

constexpr char kLabelFiles[] = R"(
## Label files

The ending of the name says the format. A label is a bucket's number, from 0 to m − 1.

| ending | format |
| --- | --- |
| `.u32`, `.bin`, `.raw` | raw little-endian 32-bit integers |
| `.u64` | raw little-endian 64-bit integers |
| `.npy` | NumPy array, one dimension, C order, `u1` `u2` `u4` `u8` `i4` `i8` |
| `.txt` | one decimal number a line; blank lines and what follows a `#` are skipped |

n is the number of labels in the file, m the largest label plus 1, unless `-n` or `-b` say otherwise. For a larger n the labels are repeated, with a warning.
)";

}  // namespace

std::span<const FileKey> tuned_keys() {
  return kTunedKeys;
}
std::span<const FileKey> tuned_entry_keys() {
  return kTunedEntryKeys;
}
std::span<const FileKey> core_costs_keys() {
  return kCoreCostsKeys;
}

std::string file_formats_text() {
  return kOverview + key_table(kTunedKeys) + "\nAn item of `entries`:\n\n" +
         key_table(kTunedEntryKeys) + kCoreCostsHeading + key_table(kCoreCostsKeys) + kLabelFiles;
}

}  // namespace presort::io
