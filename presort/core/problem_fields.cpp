#include "presort/core/problem_fields.h"

#include "presort/core/fields/rows.h"
#include "presort/core/problem.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::fields {
namespace {

// Range of the seed of labels: any 64-bit number.
constexpr Range kSeeds = whole(0, 18446744073709551615.0);

constexpr Field kProblemRows[] = {
    choice<&Problem::operation, kOperations>("op", required, "the operation"),
    number_text<&Problem::n, &format_count, &parse_count>("n", JsonValue::count, required,
                                                          "number of inputs, such as 2^26"),
    number_text<&Problem::m, &format_count, &parse_count>(
        "m", JsonValue::count, required,
        "number of buckets (of a partialSort: parts; of segments: segments; of a scan: 1; of a "
        "reduceAxes: results)"),
    parsed<&Problem::distribution, &parse_distribution>(
        "dist", stated, "how labels are distributed", distribution_forms),
    parsed<&Problem::types, &parse_types>(
        "types", stated,
        "types of label and value. Label: u32 or u64, of a histogram on a GPU also u8 or u16, "
        "of a compact u8. "
        "Value: u32, u64, i32, i64, f32 or f64"),
    number<&Problem::seed>("seed", kSeeds, optional, "seed of the random labels"),
    parsed<&Problem::shape, &parse_extents>(
        "shape", optional, "extents of the tensor of a reduceAxes, such as 512x512x1024"),
    parsed<&Problem::axes, &parse_axis_set>("axes", optional,
                                            "axes that a reduceAxes reduces, such as \"0,2\""),
};

}  // namespace

constexpr FieldTable kProblem = {"What is computed.", kProblemRows, initial_value<Problem>};

}  // namespace presort::fields
