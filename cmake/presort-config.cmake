# find_package(presort [COMPONENTS io]): presort::core, presort::cpu, presort::sim, presort::predict and
# presort::tuner; with the component io also presort::io, which needs yaml-cpp, nlohmann_json
# and zlib.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/presort-libraries.cmake)
if("io" IN_LIST presort_FIND_COMPONENTS)
  find_dependency(yaml-cpp)
  find_dependency(nlohmann_json)
  find_dependency(ZLIB)
  include(${CMAKE_CURRENT_LIST_DIR}/presort-io.cmake)
  set(presort_io_FOUND TRUE)
endif()
foreach(component ${presort_FIND_COMPONENTS})
  if(NOT component STREQUAL "io")
    set(presort_FOUND FALSE)
    set(presort_NOT_FOUND_MESSAGE "presort has no component '${component}'; accepted: io")
  endif()
endforeach()
