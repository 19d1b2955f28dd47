// Measures the parts of the current GPU one by one: curves over a footprint, a distance or a number
// of addresses. No CUDA types.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace presort::inline v0::gpu {

// One point of a curve.
struct HardwareStep {
  std::string curve;           // name of the curve: "l2Chase"
  uint64_t at = 0;             // where the point lies: bytes, words or lanes, as the curve says
  std::vector<double> passes;  // measured value of each pass, in the curve's unit
};

// Curves, each with its unit and what `at` counts:
//   sharedChase        ns of a read of shared memory that waits for the one before; bytes
//   nearLine, farLine  ns of a load of one line, by the nearest and by the farthest multiprocessor;
//                      number of the line
//   read               bytes a second of all multiprocessors; bytes of the array, past the L1
//   readOfOne          bytes a second of one multiprocessor from the L2; bytes
//   addWords           warps' atomics a second, all at the same 1 to 32 neighbouring words; words
//   addFloats, addDoubles   warps' atomics of floats, of doubles, a second, all at the same 1 to 32
//                      neighbouring words; words
//   addAlike           lanes' atomics a second to random words of 16 MiB, of which so many of 1024
//                      go to one word
//   addApart           the same at 32 words; bytes from one word to the next
//   addRandom          atomics of lanes a second at random words; bytes of the array
//   storeRandom        stores of lanes a second at random words; bytes of the array
//   bankLoad, bankAdd, bankSwap   accesses of warps a second to shared memory, of one
//                      multiprocessor; words from lane to lane (0: one word)
//   blockLead          share of a kernel's time by which 5 % of its blocks are done earlier than
//                      the last 5 %, each with as many atomics to random words; bytes of the array
//   clock              cycles a second; 0
//   l1Chase            ns of a load that waits for the one before, through an L1 that is as small
//                      as beside the most shared memory; bytes of the lines that are loaded by
//                      turns
//   l2Chase            the same, past the L1
//   pageChase          the same, of one line of each page of 2 MiB; bytes from the first to the
//                      last
//   readRandom         loads of lanes a second at random words, past the L1; bytes of the array
//   requestsOfOne      loads of lanes a second at random words by a block of one multiprocessor;
//                      bytes
//   emptyKernel, kernelChain   ns of each of many kernels in a stream: without work, or each with
//                              one load
//                      of memory and one store; 0
// Takes some 4 s and fifteen sixteenths of the device's free memory, at least 2 GiB.
// Errors: EnvironmentError when this build has no kernels, this machine no device, or the device
//         not enough memory
std::vector<HardwareStep> measure_hardware_steps(
    const std::function<void(std::string_view step, double fraction)>& progress);

}  // namespace presort::gpu
