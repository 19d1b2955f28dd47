# find_package(presort [COMPONENTS io tuner external gpu]). Targets without a component, which need nothing but
# threads: presort::core, presort::cpu, presort::gpu_plans. Components, each of which is there if presort
# was built with it:
#   io     presort::io
#   tuner  presort::sim, presort::cpu_runner, presort::predict, presort::tuner; they link zstd too
#   external  presort::external, operations on files; needs io before it, and links uring where presort was
#          built with it
#   gpu    presort::gpu, the CUDA kernels
include(${CMAKE_CURRENT_LIST_DIR}/presort-compiler.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/presort-packages.cmake)
set(presort_needs_io yaml-cpp nlohmann_json ZLIB)
set(presort_needs_tuner ZLIB LibLZMA)
set(presort_needs_external yaml-cpp nlohmann_json ZLIB)
set(presort_needs_gpu CUDAToolkit)

presort_compiler_problem(presort_problem)
if(presort_problem)
  set(presort_FOUND FALSE)
  set(presort_NOT_FOUND_MESSAGE "${presort_problem}")
  return()
endif()
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/presort-libraries.cmake)

foreach(presort_component IN LISTS presort_FIND_COMPONENTS)
  set(presort_problem "")
  if(NOT DEFINED presort_needs_${presort_component})
    set(presort_problem "presort has no component '${presort_component}'; accepted: io, tuner, external, gpu")
  elseif(NOT EXISTS ${CMAKE_CURRENT_LIST_DIR}/presort-${presort_component}.cmake)
    set(presort_problem "presort was installed without the component '${presort_component}'")
  else()
    presort_find_packages(presort_missing ${presort_needs_${presort_component}})
    if(presort_missing)
      list(JOIN presort_missing " " presort_missing)
      set(presort_problem "The component '${presort_component}' of presort needs libraries that were \
not found. On Debian: apt-get install ${presort_missing}")
    endif()
  endif()
  if(NOT presort_problem)
    include(${CMAKE_CURRENT_LIST_DIR}/presort-${presort_component}.cmake)
    set(presort_${presort_component}_FOUND TRUE)
  elseif(presort_FIND_REQUIRED_${presort_component})
    set(presort_FOUND FALSE)
    set(presort_NOT_FOUND_MESSAGE "${presort_problem}")
  endif()
endforeach()
