// Replaces a set of files in a folder by another set at one moment: whoever opens files of it gets,
// at any time, the old ones or the new ones, and so it stays when the process is killed.
//
// For a moment each name is a symbolic link that leads by way of one other link, which is turned:
//     FOLDER/NAME -> .presort-result/now/NAME        FOLDER/.presort-result/now -> old, then new
// Before and after, names are plain files. Every other step replaces a name by one that leads to
// the same text, or, of a name that a set lacks, to nothing.
#pragma once

#include <string>
#include <vector>

namespace presort::inline v0::io {

// Name of a folder in the folder of the files. It belongs to the user who swaps, and holds the
// folders old/ and new/.
inline constexpr char kSwapFolder[] = ".presort-result";
inline constexpr char kOldSet[] = "old";
inline constexpr char kNewSet[] = "new";

// Ways to swap a set. links: by symbolic links, as above. renames: file by file, where a file
// system has no links; a kill in between leaves files of both sets.
enum class SwapMeans { links, renames };

// Moves the files of new/ into the folder, in place of those with the same names; files named in
// `retired` are removed, all others stay. Where symbolic links are not supported, files are
// renamed.
// folder, swap: open for reading
// Requires: old/ is empty; no folder has a name of the set or of `retired`
// Errors:   std::system_error; the old set then stays
void swap_in(int folder, int swap, const std::vector<std::string>& retired,
             SwapMeans means = SwapMeans::links);

// Ends a swap that was cut short, with the set that could be seen, and empties old/ and new/.
// Does nothing where there was none.
// Errors: std::system_error
void settle(int folder, int swap);

}  // namespace presort::io
