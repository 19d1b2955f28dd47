# Packages that parts of presort need. For each CMake name: the name in Debian, and further arguments of
# find_package. Read when presort is built and by find_package(presort).
set(presort_debian_Boost libboost-program-options-dev)
set(presort_debian_CUDAToolkit cuda-toolkit)  # of NVIDIA's own packages
set(presort_debian_Eigen3 libeigen3-dev)
set(presort_debian_LibLZMA liblzma-dev)
set(presort_debian_ZLIB zlib1g-dev)
set(presort_debian_doctest doctest-dev)
set(presort_debian_fmt libfmt-dev)
set(presort_debian_nlohmann_json nlohmann-json3-dev)
set(presort_debian_yaml-cpp libyaml-cpp-dev)
set(presort_find_Boost COMPONENTS program_options)
set(presort_find_Eigen3 NO_MODULE)

# presort_find_packages(missing package …): looks for the packages and sets `missing` to the Debian
# names of those that are not there.
function(presort_find_packages missing)
  set(absent "")
  foreach(package ${ARGN})
    find_package(${package} QUIET ${presort_find_${package}})
    if(NOT ${package}_FOUND)
      list(APPEND absent ${presort_debian_${package}})
    endif()
  endforeach()
  set(${missing} "${absent}" PARENT_SCOPE)
endfunction()
