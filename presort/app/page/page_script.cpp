#include "presort/app/page/page_script.h"

#include "presort/app/printing/displayable.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app::page {

namespace {

using io::Json;

Json or_null(const std::optional<uint64_t>& m) {
  return m ? Json(*m) : Json(nullptr);
}

Json time_json(const Result* result) {
  if (result == nullptr) {
    return nullptr;
  }
  Json json = {{"measured", result->measured()}, {"plan", displayable_line(result->plan_words)}};
  if (result->forecast) {
    json["predicted"] = result->forecast->ns;
    if (result->forecast->high > 0) {
      json["low"] = result->forecast->low;
      json["high"] = result->forecast->high;
    }
  }
  return json;
}

Json group_json(const Pictured& pictured) {
  const Group& group = *pictured.group;
  Json rows = Json::array();
  for (const Row& row : group.rows) {
    rows.push_back({{"m", row.m}, {"d", time_json(row.direct)}, {"t", time_json(row.tuned)}});
  }
  const Row* const most = group.most_gain();
  return {{"id", pictured.id},
          {"machine", displayable_line(pictured.machine)},
          {"operation", displayable_line(group.operation)},
          {"labels", displayable_line(group.labels)},
          {"types", displayable_line(group.types)},
          {"n", group.n},
          {"crossover",
           {{"measured", or_null(group.crossover.measured)},
            {"predicted", or_null(group.crossover.predicted)}}},
          {"most", most != nullptr ? Json(most->m) : Json(nullptr)},
          {"rows", rows}};
}

}  // namespace

std::string script_data(const std::vector<Pictured>& all) {
  Json groups = Json::array();
  for (const Pictured& pictured : all) {
    groups.push_back(group_json(pictured));
  }
  std::string safe;
  for (const char c : io::json_line({{"groups", groups}})) {
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace presort::app::page
