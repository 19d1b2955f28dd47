#include "presort/core/machine/check/machine_check.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

Found pages(const std::string& key_path, uint64_t bytes, const Storage& storage) {
  return bytes >= storage.page_bytes && bytes % storage.page_bytes == 0
             ? Found{}
             : machine_problem(key_path, format_bytes(bytes),
                               "whole pages of " + format_bytes(storage.page_bytes));
}

Found page_cache(const Storage& storage, uint64_t line_bytes) {
  if (Found page = unless_page("storage.pageSize", storage.page_bytes, line_bytes)) {
    return page;  // ends here: the other checks need sizes in whole pages
  }
  return first_of(pages("storage.pageCache", storage.page_cache_bytes, storage),
                  pages("storage.readAhead", storage.read_ahead_bytes, storage),
                  pages("storage.writeCluster", storage.write_cluster_bytes, storage));
}

Found erase_block(const Storage& storage) {
  return storage.kind == DeviceKind::ssd
             ? unless_page("storage.eraseBlock", storage.erase_block_bytes, storage.page_bytes)
             : Found{};
}

}  // namespace

Found check_storage(const Machine& machine) {
  if (!machine.storage) {
    return {};
  }
  return first_of(page_cache(*machine.storage, machine.caches.front().line_bytes),
                  erase_block(*machine.storage));
}

}  // namespace presort
