# Target with the compiler warnings, which only presort's own targets link.
add_library(presort_warnings INTERFACE)
target_compile_options(presort_warnings INTERFACE
                       $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion
                                                 -Wno-sign-conversion>)
# libstdc++ 12's stable_sort calls a function that it deprecates, and clang from 17 on says so.
target_compile_options(presort_warnings INTERFACE
                       $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)

# Headers are included as presort/…, in this project and in others, whether presort is installed or not.
set(presort_include $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                    $<INSTALL_INTERFACE:include>)

# presort_library(name SOURCES … LINK …): the target presort_<name>, alias presort::<name>, of one
# folder. Without sources it is header-only. LINK names are PUBLIC.
function(presort_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  if(ARG_SOURCES)
    add_library(presort_${name} STATIC ${ARG_SOURCES})
    target_include_directories(presort_${name} PUBLIC ${presort_include})
    target_link_libraries(presort_${name} PUBLIC ${ARG_LINK}
                                          PRIVATE $<BUILD_INTERFACE:presort_warnings>)
    target_compile_features(presort_${name} PUBLIC cxx_std_20)
    set_target_properties(presort_${name} PROPERTIES UNITY_BUILD ${PRESORT_UNITY}
                                                     UNITY_BUILD_BATCH_SIZE 12)
    # Kernels are compiled one file at a time. From version 3.31 on CMake would join them too; names in
    # their unnamed namespaces clash then, and one slow file after the other would be compiled.
    foreach(source IN LISTS ARG_SOURCES)
      if(source MATCHES "[.]cu$")
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endforeach()
    if(PRESORT_C OR PRESORT_PYTHON)
      # Position-independent code, which can go into a shared library; calls within the library may still
      # be inlined.
      set_target_properties(presort_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      target_compile_options(presort_${name}
                             PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>)
    endif()
  else()
    add_library(presort_${name} INTERFACE)
    target_include_directories(presort_${name} INTERFACE ${presort_include})
    target_link_libraries(presort_${name} INTERFACE ${ARG_LINK})
    target_compile_features(presort_${name} INTERFACE cxx_std_20)
  endif()
  add_library(presort::${name} ALIAS presort_${name})
endfunction()

# presort_test_program(name SOURCES … LINK …): one doctest executable, <name>_test. Each run
# draws random cases of its own and prints their seed; PRESORT_PROPERTY_SEED=<seed> repeats them.
function(presort_test_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name}_test ${ARG_SOURCES} $<TARGET_OBJECTS:presort_test_main>)
  # Tests link libraries with release flags; the tests' own code is compiled with -O1, in half the time.
  # Kernels, which are templates, are tested with the flags of a release in the tests of the command and
  # in the attacks.
  target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  # GCC collects garbage only above 1 GB (KiB here): 10 % less time where kernels are instantiated.
  target_compile_options(${name}_test PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=1048576>")
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name}_test
                             PRIVATE PRESORT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                     PRESORT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(${name}_test PRIVATE ${ARG_LINK} presort_warnings)
  # Several *_test.cpp are compiled at a time; each has a namespace of its own, NAME_test, so that no
  # names clash. Other sources have no such namespace and are compiled alone.
  set_target_properties(${name}_test PROPERTIES UNITY_BUILD ${PRESORT_UNITY}
                                                UNITY_BUILD_BATCH_SIZE 12)
  foreach(source IN LISTS ARG_SOURCES)
    if(NOT source MATCHES "_test[.]cpp$")
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# presort_test(folder SOURCES … LINK …): adds the test executable of one folder of tests/, and the ctest
# test that runs it.
function(presort_test folder)
  presort_test_program(${folder} ${ARGN})
  add_test(NAME ${folder} COMMAND ${folder}_test)
endfunction()
