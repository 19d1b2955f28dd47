// An unsigned 128-bit number, which holds the product of any two 64-bit numbers.
#pragma once

namespace presort::inline v0 {

// Not a `using`: that would warn about __int128 under -Wpedantic
__extension__ typedef unsigned __int128 Wide;

}  // namespace presort
