// Replaces a set of files in a folder by another set at one moment: whoever opens files of the set
// sees, at any time, all old ones or all new ones, also when the process is killed.
//
// For a moment each name is a symbolic link that leads through one other link. Turning that one
// link replaces the whole set:
//     FOLDER/NAME -> .presort-result/now/NAME        FOLDER/.presort-result/now -> old, then new
// Before and after, names are plain files. Every other step replaces a name by one that leads to
// the same text, or, if the set lacks that name, to nothing.
#pragma once

#include <string>
#include <vector>

namespace presort::inline v0::io {

// Name of a folder beside the files. It belongs to the user who swaps, and holds the folders old/
// and new/.
inline constexpr char kSwapFolder[] = ".presort-result";
inline constexpr char kOldSet[] = "old";
inline constexpr char kNewSet[] = "new";

// Ways to swap a set of files. links: by symbolic links, at one moment. renames: file by file,
// where a file system has no links; a kill in between leaves files of both sets.
enum class SwapMeans { links, renames };

// Moves the files of new/ into the folder, in place of those with the same names; files named in
// `retired` are removed, all others stay. Where symbolic links are not supported, files are
// renamed.
// folder, swap: open for reading
// Requires: old/ is empty; no folder has a name of the set or of `retired`
// Errors:   std::system_error; the old set then stays
void swap_in(int folder, int swap, const std::vector<std::string>& retired,
             SwapMeans means = SwapMeans::links);

// Completes a swap that was cut short, with the set that readers saw last, and empties old/ and
// new/. Does nothing without such a swap.
// Errors: std::system_error
void settle(int folder, int swap);

}  // namespace presort::io
