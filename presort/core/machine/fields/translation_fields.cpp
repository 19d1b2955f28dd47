#include "presort/core/fields/rows.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::fields {
namespace {

constexpr uint64_t kLargePage = uint64_t{2} << 20;

double large_interval(const PageWalk& walk) {
  return walk.interval_of(kLargePage);
}

constexpr Range kPages = size(64, kTiB);

constexpr Field kTlbLevelRows[] = {
    name<&TlbLevel::name>("name", required, "name of the level, such as STLB"),
    number<&TlbLevel::page_bytes>("page", kPages, required,
                                  "page size that it holds, or a list of them"),
    number<&TlbLevel::entries>("entries", whole(1, 1 << 20), required, "pages that it holds"),
    number<&TlbLevel::ways>("ways", whole(1, 4096), required,
                            "entries of a set; equal to entries: fully associative",
                            {.reason = "a lookup goes over all of them"}),
    number<&TlbLevel::latency_cycles>("latency", cycles(0, 1e6), stated,
                                      "what a lookup here adds to the access"),
    parsed<&TlbLevel::policy, &parse_replacement>(
        "policy", stated, "which entry a full set gives up", replacement_names),
};

constexpr Field kWalkCachesRows[] = {
    number<&PageWalk::pde_entries>(
        "pde", whole(0, 4096), stated, "entries that skip to the last table",
        {.reason = "fully associative: a lookup goes over all of them", .json = "pde_entries"}),
    number<&PageWalk::pdpte_entries>("pdpte", whole(0, 4096), stated,
                                     "entries that skip to the last table but one",
                                     {.json = "pdpte_entries"}),
    number<&PageWalk::pml4e_entries>("pml4e", whole(0, 4096), stated,
                                     "entries that skip to the last table but two",
                                     {.json = "pml4e_entries"}),
    parsed<&PageWalk::cache_policy, &parse_replacement>(
        "policy", stated, "which entry a full cache gives up", replacement_names,
        {.json = "cache_policy"}),
};
constexpr FieldTable kWalkCaches = {"The page-walk caches.", kWalkCachesRows,
                                    initial_value<PageWalk>};

constexpr Field kNestedRows[] = {
    number<&PageWalk::nested_host_page_bytes>("hostPage", kPages, required,
                                              "page size of the host under a virtual machine",
                                              {.json = "nested_host_page_bytes"}),
};
constexpr FieldTable kNested = {"The host of a virtual machine, whose tables are walked too.",
                                kNestedRows, initial_value<PageWalk>};

constexpr Field kPageWalkRows[] = {
    number<&PageWalk::walkers>("walkers", whole(1, 1024), stated, "walks at a time"),
    section<&itself<PageWalk>>("caches", kWalkCaches, stated, "the page-walk caches",
                               {.json_flat = true}),
    name<&PageWalk::enters_at>("entersAt", optional,
                               "name of the cache level that a walk's accesses enter",
                               {.default_text = "the first level"}),
    section<&itself<PageWalk>>(
        "nested", kNested, optional, "the host of a virtual machine",
        {.json_flat = true, .default_text = "no host: walks are not nested"}),
    number<&PageWalk::overhead_cycles>("overhead", cycles(0, 1e6), optional,
                                       "what a walk takes beside its reads"),
    number<&PageWalk::interval_cycles>(
        "interval", cycles(0, 1e6), optional,
        "at least from a walk's beginning to that of the next, where many wait"),
    number<&PageWalk::large_interval_cycles>("largePageInterval", cycles(0, 1e6), optional,
                                             "interval of pages above 4 KiB",
                                             {.json = "large_interval_cycles",
                                              .default_text = "interval",
                                              .resolved = of_object<&large_interval>}),
    number<&PageWalk::outstanding>(
        "outstanding", whole(0, 65536), optional,
        "loads and prefetches that wait for a walk of theirs, or for data after it, at a time; 0: "
        "as many as the first level has registers for"),
};

}  // namespace

constexpr FieldTable kTlbLevel = {"A TLB level, nearest first.", kTlbLevelRows,
                                  initial_value<TlbLevel>};
constexpr FieldTable kPageWalk = {"Page walks.", kPageWalkRows, initial_value<PageWalk>};

}  // namespace presort::fields
