// The reference documentation of all files that presort reads and writes, but for the keys of
// machines, plans and problems, which have pages of their own.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace presort::inline v0::io {

// A key of a file whose reader has no field table. A test holds the rows against written files.
struct FileKey {
  std::string_view key;
  std::string_view accepted;
  std::string_view without;  // value in files without the key, or "required"
  std::string_view doc;
};

std::span<const FileKey> tuned_keys();        // rows for the keys of the file itself
std::span<const FileKey> tuned_entry_keys();  // rows for the keys of an item of `entries`
std::span<const FileKey> core_costs_keys();

std::string file_formats_text();

}  // namespace presort::io
