# Looks for the packages that the chosen parts need, and names all missing ones at once. The packages'
# targets are visible everywhere, as a project that includes presort links them through presort's targets.
include(${CMAKE_CURRENT_LIST_DIR}/presort-packages.cmake)
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(Threads REQUIRED)

# presort_find_library(missing VARIABLE name debian): looks for a library that has no package for
# CMake
function(presort_find_library missing variable name debian)
  find_library(${variable} ${name})
  mark_as_advanced(${variable})
  if(NOT ${variable})
    set(${missing} ${${missing}} ${debian} PARENT_SCOPE)
  endif()
endfunction()

# presort_refuse_missing(reason way_out debian …): fails if any missing Debian packages are listed, and
# names them.
function(presort_refuse_missing reason way_out)
  if(ARGN)
    list(REMOVE_DUPLICATES ARGN)
    list(JOIN ARGN " " packages)
    message(FATAL_ERROR "${reason} needs libraries that were not found. On Debian: "
                        "apt-get install ${packages}\n${way_out}")
  endif()
endfunction()

set(missing_io "")
set(missing_tuner "")
set(missing_command "")
set(missing_tests "")
if(PRESORT_IO)
  presort_find_packages(missing_io yaml-cpp nlohmann_json ZLIB)
endif()
if(PRESORT_TUNER)
  presort_find_packages(missing_tuner Eigen3 ZLIB LibLZMA)
  presort_find_library(missing_tuner ZSTD_LIBRARY zstd libzstd-dev)
endif()
if(PRESORT_COMMAND)
  presort_find_packages(missing_command Boost fmt)
  find_path(HWLOC_INCLUDE_DIR hwloc.h)
  mark_as_advanced(HWLOC_INCLUDE_DIR)
  presort_find_library(missing_command HWLOC_LIBRARY hwloc libhwloc-dev)
  if(NOT HWLOC_INCLUDE_DIR)
    list(APPEND missing_command libhwloc-dev)
  endif()
  presort_refuse_missing("The command presort" "The kernels need none of them: -DPRESORT_COMMAND=OFF"
                         ${missing_command} ${missing_io} ${missing_tuner})
endif()
if(PRESORT_COMMAND)
  # Packages that the command works without: stores of campaigns, their export to Parquet, and
  # campaigns on many machines.
  find_package(SQLite3 QUIET)
  find_package(Arrow CONFIG QUIET)
  find_package(Parquet CONFIG QUIET)
  if(PRESORT_MPI STREQUAL "on")
    find_package(MPI REQUIRED COMPONENTS CXX)
  elseif(PRESORT_MPI STREQUAL "auto" AND NOT CMAKE_CROSSCOMPILING)
    # The compilers of MPI that are asked for flags are those of the machine that builds.
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
  set(PRESORT_HAS_MPI ${MPI_CXX_FOUND})
endif()
if(PRESORT_COMMAND)
  # Requests to block devices by io_uring; without liburing threads take its place.
  find_path(URING_INCLUDE_DIR liburing.h)
  find_library(URING_LIBRARY uring)
  mark_as_advanced(URING_INCLUDE_DIR URING_LIBRARY)
  if(URING_INCLUDE_DIR AND URING_LIBRARY)
    set(PRESORT_HAS_URING ON)
  endif()
endif()
presort_refuse_missing("presort::io" "Without it: -DPRESORT_IO=OFF" ${missing_io})
presort_refuse_missing("presort::tuner" "Without it: -DPRESORT_TUNER=OFF" ${missing_tuner})
if(PRESORT_TESTS)
  presort_find_packages(missing_tests doctest)
  presort_find_library(missing_tests RAPIDCHECK_LIBRARY rapidcheck librapidcheck-dev)
  presort_refuse_missing("The tests" "Without them: -DPRESORT_TESTS=OFF" ${missing_tests})
endif()
