#include "presort/predict/closed_form/hit_ratios/footprint.h"

#include <algorithm>
#include <cmath>

#include "presort/predict/closed_form/hit_ratios/popularity.h"

namespace presort::inline v0::predict {

namespace {

constexpr double kWindow =
    64;  // labels in a window of clustered labels (core/labels/kinds/clustered.cpp)

// Expected number of different units that a run of accesses picks at random among `units` units.
// Run lengths are geometric with mean `length`.
double distinct_in_run(double length, double units) {
  const double other = 1 - 1 / units;
  const double end = 1 / length;
  return units * (1 - end * other / (1 - (1 - end) * other));
}

// The units (lines or pages) of the buckets of clustered labels: an arrival is a whole run of
// labels in a window.
Population clustered_units(const LabelShape& labels, double bucket_bytes, double unit_bytes) {
  const double length = labels.distribution.parameter;
  const double window = std::min(kWindow, labels.buckets) * bucket_bytes;
  const double units_of_run = std::max(1.0, window / unit_bytes);
  const double places = std::max(1.0, labels.buckets * bucket_bytes / std::max(window, unit_bytes));
  return {{{places, 1 / (length * places)}}, {{distinct_in_run(length, units_of_run), 1}}};
}

// The units (lines or pages of `unit_bytes` bytes) of the buckets of ascending labels: a stream in
// which each unit is accessed once.
Population ordered_units(const LabelShape& labels, double bucket_bytes, double unit_bytes) {
  const double units = std::max(1.0, labels.buckets * bucket_bytes / unit_bytes);
  return stream(std::min(1.0, units / labels.inputs), labels.since);
}

int whole_log2(double x) {
  return static_cast<int>(std::lround(std::log2(std::max(1.0, x))));
}

int part_shift(const LabelShape& labels) {
  return labels.parts > 1 ? whole_log2(labels.buckets) : labels.measured->bits();
}

// Units of 2^unit_shift buckets for measured labels; a unit is touched by the inputs of its
// buckets.
Population measured_units(const LabelShape& labels, int unit_shift) {
  const int part = part_shift(labels);
  return {{}, {}, {{labels.measured->survival(std::min(unit_shift, part), part)}}};
}

// From groups of all units of a partition, the groups of the units that one part has: fewer units,
// each more popular by the same factor. If only few parts have units of a group, a part has less
// than one of them on average.
std::vector<Group> bucket_groups(const LabelShape& labels, double per_unit) {
  const double m = labels.buckets * labels.parts;
  std::vector<Group> groups = labels.known != nullptr
                                  ? labels.known->of(m, per_unit)
                                  : popularity(labels.distribution, m, per_unit);
  for (Group& group : groups) {
    group.count /= labels.parts;
    group.rate *= labels.parts;
  }
  return groups;
}

int digit_shift(const LabelShape& labels, double digits, double per_unit) {
  const int part = part_shift(labels);
  return std::clamp(part - whole_log2(digits) + whole_log2(per_unit), 0, part);
}

std::vector<Group> measured_groups(const LabelShape& labels, double digits, double per_unit) {
  return labels.measured->popularity(digit_shift(labels, digits, per_unit), part_shift(labels));
}

// Groups of digits by popularity. With labels in ascending order, many consecutive inputs have one
// digit.
std::vector<Group> digit_groups(const LabelShape& labels, double digits, double per_unit) {
  if (labels.measured != nullptr) {
    return measured_groups(labels, digits, per_unit);
  }
  if (is_in_order(labels.distribution.kind)) {
    return {{1, 1}};
  }
  // The number of digits, a power of two, may exceed the number of buckets: the surplus digits do
  // not occur.
  return bucket_groups(labels, std::max(1.0, labels.buckets / digits * per_unit));
}

// Units of `per_unit` digits each, touched by the inputs with these digits.
Population digit_units(const LabelShape& labels, double digits, double per_unit) {
  return labels.measured == nullptr ? Population{digit_groups(labels, digits, per_unit)}
                                    : measured_units(labels, digit_shift(labels, digits, per_unit));
}

bool is_scattered(const LabelShape& labels) {
  return labels.measured == nullptr && labels.distribution.kind == DistributionKind::zipf;
}

}  // namespace

Footprint buckets_footprint(const LabelShape& labels, double bucket_bytes, bool written) {
  return {Region::buckets, written,
          [=](double unit_bytes) -> Population {
            if (labels.measured != nullptr) {
              return measured_units(labels, whole_log2(unit_bytes / bucket_bytes));
            }
            if (labels.distribution.kind == DistributionKind::clustered) {
              return clustered_units(labels, bucket_bytes, unit_bytes);
            }
            if (is_in_order(labels.distribution.kind)) {
              return ordered_units(labels, bucket_bytes, unit_bytes);
            }
            return {bucket_groups(labels, std::max(1.0, unit_bytes / bucket_bytes))};
          },
          false, is_scattered(labels)};
}

Footprint stream_footprint(Region region, double bytes_per_input, bool written, double since) {
  return {region, written,
          [=](double unit_bytes) { return stream(bytes_per_input / unit_bytes, since); }};
}

Footprint digits_footprint(Region region, const LabelShape& labels, double digits,
                           double element_bytes) {
  return {region, true,
          [=](double unit_bytes) -> Population {
            const double per_unit = std::clamp(unit_bytes / element_bytes, 1.0, digits);
            return digit_units(labels, digits, per_unit);
          },
          false, is_scattered(labels)};
}

Footprint buffers_footprint(Region region, const LabelShape& labels, double digits, double elements,
                            double element_bytes) {
  return {region, true, [=](double unit_bytes) -> Population {
            const double buffer_bytes = elements * element_bytes;
            if (unit_bytes >= buffer_bytes) {
              const double per_unit = std::min(digits, unit_bytes / buffer_bytes);
              return digit_units(labels, digits, per_unit);
            }
            // The units (lines or pages) are smaller than a write buffer. The first element of a
            // unit is written after those of the units before it, the others one by one; the flush
            // reads all units.
            const double units = std::round(buffer_bytes / unit_bytes);
            const double per_unit = std::round(elements / units);
            Population population{digit_groups(labels, digits, 1), {{1 - 1 / per_unit, 1}}};
            // Labels of a file: the times between inputs with the same digit were measured
            if (labels.measured != nullptr) {
              population.measured = digit_units(labels, digits, 1).measured;
              population.measured.front().touches = 1 - 1 / per_unit;
              population.reuses.clear();
            }
            for (double unit = 0; unit < units; ++unit) {
              population.reuses.push_back({1 / elements, unit * per_unit + 1});
              population.reuses.push_back({1 / elements, (units - 1 - unit) * per_unit});
            }
            return population;
          }};
}

Footprint outputs_footprint(Region region, const LabelShape& labels, double digits, double elements,
                            double element_bytes, bool written) {
  return {region, written, [=](double unit_bytes) -> Population {
            // Bytes that one flush of a write buffer writes
            const double bytes = elements * element_bytes;
            const double all = labels.inputs * element_bytes / unit_bytes;
            Population population;
            if (all < digits) {  // one line or page holds the outputs of several digits
              population.groups = {{all, 1 / (elements * all)}};
              return population;
            }
            population.groups = digit_groups(labels, digits, 1);
            for (Group& group : population.groups) {
              group.rate /= elements;
            }
            const double fresh = std::min(1.0, bytes / unit_bytes);
            const double several = std::max(1.0, bytes / unit_bytes);
            // Arrivals at a digit since its output was last used, if all digits were as frequent
            const double since = std::max(2.0, std::round(labels.since / (digits * elements)));
            population.reuses = {{fresh * several, since}, {1 - fresh, 1}};
            return population;
          }};
}

}  // namespace presort::predict
