// Marks functions that run on the host and on the device, in files that both compilers read.
#pragma once

#ifdef __CUDACC__
#define PRESORT_HOST_DEVICE __host__ __device__
#else
#define PRESORT_HOST_DEVICE
#endif
