#include "presort/cpu/detail/check_spans.h"

#include <string>

#include "presort/core/error.h"

namespace presort::inline v0::cpu {

namespace {

void check_alignment(const PlacedSpan& span) {
  if (span.bytes > 0 && span.first % span.alignment != 0) {
    throw SpanError(std::string(span.name) + ": found an address that is " +
                    std::to_string(span.first % span.alignment) +
                    " bytes above a multiple of the alignment of its elements, " +
                    std::to_string(span.alignment) + " bytes; accepted: 0");
  }
}

// Arrays overlap: compares begins and lengths, as the end of an array at the last address would wrap
// around to 0.
bool have_bytes_in_common(const PlacedSpan& a, const PlacedSpan& b) {
  if (a.bytes == 0 || b.bytes == 0) {
    return false;
  }
  return a.first <= b.first ? b.first - a.first < a.bytes : a.first - b.first < b.bytes;
}

}  // namespace

void check_spans(std::initializer_list<PlacedSpan> spans) {
  for (const PlacedSpan* a = spans.begin(); a != spans.end(); ++a) {
    check_alignment(*a);
    for (const PlacedSpan* b = spans.begin(); b != a; ++b) {
      if ((a->is_written || b->is_written) && have_bytes_in_common(*a, *b)) {
        throw SpanError(std::string(b->name) + " and " + a->name +
                        " overlap, and are not both only read");
      }
    }
  }
}

}  // namespace presort::cpu
