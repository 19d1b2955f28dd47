// An unsigned number of 128 bits, for products of two of 64.
#pragma once

namespace presort::inline v0 {

__extension__ typedef unsigned __int128 Wide;  // a `using` for __int128 would warn under -Wpedantic

}  // namespace presort
