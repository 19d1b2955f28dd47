// The field table of a problem: problem files, JSON, tuned files and docs/reference/problem-keys.md
// follow from it. Rules that join several keys are in check_problem (core/problem.h).
#pragma once

#include "presort/core/fields/field.h"

namespace presort::inline v0::fields {

extern const FieldTable kProblem;

}  // namespace presort::fields
