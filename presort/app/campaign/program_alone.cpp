// The program presort: one rank.
#include "presort/app/build_facts.h"
#include "presort/app/campaign/ranks.h"

namespace presort::inline v0::app::campaign {

Program linked_program() {
  return {build_identity(), {}};
}

}  // namespace presort::app::campaign
