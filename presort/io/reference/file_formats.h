// Reference documentation of all files that presort reads and writes, except for the keys of
// machines, plans and problems, which have pages of their own.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace presort::inline v0::io {

// Documentation of a key in a file whose reader has no field table. A test compares these rows with
// written files.
struct FileKey {
  std::string_view key;
  std::string_view accepted;
  std::string_view without;  // value that holds in files without the key, or "required"
  std::string_view doc;
};

std::span<const FileKey> tuned_keys();  // documentation of the top-level keys of a tuned file
// Documentation of the keys of an entry of a tuned file
std::span<const FileKey> tuned_entry_keys();
std::span<const FileKey> core_costs_keys();

std::string file_formats_text();

}  // namespace presort::io
