// Computes the points of a campaign, for one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/campaign/points.h"
#include "presort/core/base/stop.h"
#include "presort/core/machine/machine.h"
#include "presort/io/campaign/campaign_row.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app::campaign {

// A row depends on its point alone, not on points computed before; a measured time also on what
// else the machine does. The predictors of the variant
// computed last are kept, so consecutive points cost least.
class PointWork {
 public:
  // machines: one for each value of axis "machine"; outlives this object, as `points` does
  PointWork(const Points& points, const std::vector<Machine>& machines, StopToken stop);
  ~PointWork();

  // Computes a point. A machine, problem or plan that is refused gives a row that says why.
  // Errors: Stopped once the token asks for it
  io::CampaignRow row(uint64_t point);

 private:
  struct Variant;
  void enter_variant(uint64_t point, const std::vector<size_t>& indices);
  void tune(const Problem& problem, io::CampaignRow& row) const;
  void predict(const Problem& problem, const CpuPlan& plan, io::CampaignRow& row) const;
  void measure(const Problem& problem, const CpuPlan& plan, io::CampaignRow& row) const;

  const Points& points_;
  const std::vector<Machine>& machines_;
  StopToken stop_;
  std::unique_ptr<Variant> variant_;
};

// Reads the machines of a campaign. A path that is not absolute is looked up from the folder that
// the command was started in, as -m does.
// Errors: InputError
std::vector<Machine> load_machines(const io::Campaign& campaign);

// Refuses keys of `set` that a machine does not have, before the first point is computed.
// Errors: InputError "FILE: set.KEY: …" naming the machine
void check_set_keys(const std::string& file, const Points& points,
                    const std::vector<Machine>& machines);

}  // namespace presort::app::campaign
