# Turns CUDA on if PRESORT_CUDA asks for it and nvcc is there; sets PRESORT_HAS_CUDA.
set(PRESORT_HAS_CUDA OFF)
if(NOT PRESORT_CUDA STREQUAL "off")
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13)
    if(NOT DEFINED CMAKE_CUDA_COMPILER)
      set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
    endif()
    # With CUDAARCHS in the environment, CMake itself chooses architectures.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
      set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)  # the last one as PTX too, for later devices
    endif()
    # Without a GPU, GPU tests are only compiled, and for one architecture: three would take four minutes
    # more.
    if(NOT EXISTS /dev/nvidiactl AND NOT EXISTS /dev/dxg)
      set(PRESORT_GPU_TEST_ARCHITECTURES 90-real)
    endif()
    enable_language(CUDA)
    # -O1 is for host code, which only launches kernels; kernels are optimised in full all the same.
    if(CMAKE_CUDA_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
      set(CMAKE_CUDA_FLAGS_RELEASE "-O1 -DNDEBUG")
    endif()
    set(PRESORT_HAS_CUDA ON)
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_EXTENSIONS OFF)
    if(CMAKE_VERSION VERSION_LESS 3.25.2)  # older CMake does not know that nvcc 12 has C++20
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
  elseif(PRESORT_CUDA STREQUAL "on")
    message(FATAL_ERROR "PRESORT_CUDA is on, but there is no CUDA toolkit of version 13 or later")
  endif()
endif()
# NCCL, for programs of several processes with a GPU each (presort/gpu/processes/).
if(PRESORT_HAS_CUDA)
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib)
  mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(PRESORT_HAS_NCCL ON)
  endif()
endif()
