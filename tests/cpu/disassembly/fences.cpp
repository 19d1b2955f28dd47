// Functions that must end in the fence of streaming stores. All that they call is inlined, except the
// loops that move inputs.
#include "presort/cpu/presort/buffered_presort.h"
#include "presort/cpu/presort/chunked_presort.h"

using namespace presort;
using namespace presort::cpu;
using Store = LabelStore<uint32_t, uint32_t>;
using Input = Store::Input;

extern "C" [[gnu::flatten]] void move_to_parts_streaming(PresortArrays<Store>& arrays,
                                                         const uint32_t* labels, size_t count) {
  arrays.flush = Flush::streaming;
  move_to_parts(arrays, 0, OnePiece<Input>{{labels}, count});
}

extern "C" [[gnu::flatten]] void fill_chunks(const ChunkArrays<Store>& arrays,
                                             const uint32_t* labels, size_t count) {
  arrays.fill(Input{labels}, count);
}

// A partition phase without its fence: the check must report the missing fence.
extern "C" [[gnu::flatten]] void fill_parts_without_fence(const PresortArrays<Store>& arrays,
                                                          const uint32_t* labels, size_t count) {
  fill_parts<Flush::streaming>(arrays, 0, OnePiece<Input>{{labels}, count});
}
