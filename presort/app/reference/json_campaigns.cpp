// The fields of the JSON documents of campaigns.
#include "presort/app/reference/json_types.h"

namespace presort::inline v0::app::json {
namespace {

constexpr JsonField kFile = {"file", "text", "campaign file"};
constexpr JsonField kDone = {"done", "count", "points that journals have rows of"};

constexpr JsonField kCampaignRows[] = {
    kFile,
    {"points", "count", "points of the campaign, or of the shard"},
    kDone,
    {"found", "count", "points that journals had before this start"},
    {"computed", "count", "points that this start computed, on all ranks"},
    {"seconds", "s", "time of this start"},
    {"points_per_second", "1/s", "computed points over the time"},
    {"complete", "true/false", "false: interrupted, or ended early; the same command goes on"},
    kProvenanceField,
};

constexpr JsonField kJournalRows[] = {
    {"file", "text", "journal"},
    {"rows", "count", "points that it has rows of"},
    {"cut", "true/false", "true: it ends in a block that is not whole, which does not count"},
};
constexpr JsonType kJournal = {"journal of a campaign", "The rows that one process wrote.",
                               kJournalRows};

constexpr JsonField kCampaignStatusRows[] = {
    kFile,
    {"points", "count", "points of the campaign"},
    kDone,
    {"journals", "", "journals, in the order of their names", Holds::list, &kJournal},
    kProvenanceField,
};

}  // namespace

const JsonType kCampaign = {"", "A start of a campaign.", kCampaignRows};
const JsonType kCampaignStatus = {"", "How far a campaign is.", kCampaignStatusRows};

}  // namespace presort::app::json
