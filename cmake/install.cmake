# Installs libraries for other projects, by the components of find_package(presort): the kernels and
# what they need; and in components of their own, as they need more packages: io, tuner, external and gpu
# (the CUDA kernels).
include(GNUInstallDirs)
set(presort_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/presort)

# presort_folder(name result): sets `result` to the source folder of the library <name>; for gpu_plans
# that is gpu.
function(presort_folder name result)
  string(REGEX REPLACE "_.*" "" folder ${name})
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

# presort_install(component name …): installs libraries and their headers, as presort::<name>, listed in
# presort-<component>.cmake.
function(presort_install component)
  foreach(name ${ARGN})
    set_target_properties(presort_${name} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS presort_${name} EXPORT presort-${component})
    presort_folder(${name} folder)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/presort/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/presort
            FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")
  endforeach()
  install(EXPORT presort-${component} NAMESPACE presort:: FILE presort-${component}.cmake
          DESTINATION ${presort_cmake_dir})
endfunction()

presort_install(libraries core cpu gpu_plans)
install(FILES ${PROJECT_SOURCE_DIR}/presort/presort.h ${PROJECT_SOURCE_DIR}/presort/status.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/presort)
if(PRESORT_IO)
  presort_install(io io)
endif()
if(PRESORT_TUNER)
  presort_install(tuner sim cpu_runner predict tuner)
endif()
if(PRESORT_COMMAND)
  presort_install(external external)
endif()
if(PRESORT_HAS_CUDA)
  presort_install(gpu gpu)
endif()

if(PRESORT_C)
  # The C library is installed if it was built. C programs include <presort.h>, C++ programs
  # <presort/presort.h>.
  get_target_property(presort_c_folder presort_c BINARY_DIR)
  install(TARGETS presort_c OPTIONAL)
  install(FILES ${presort_c_folder}/presort.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} OPTIONAL)
  install(FILES ${presort_c_folder}/presort.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig OPTIONAL)
endif()

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/presort-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/presort-config.cmake cmake/presort-compiler.cmake cmake/presort-packages.cmake
              ${PROJECT_BINARY_DIR}/presort-config-version.cmake
        DESTINATION ${presort_cmake_dir})
if(PRESORT_COMMAND)
  install(TARGETS presort)
  # presort-mpi needs an MPI library, which packages of presort do not ask for: it is installed by name,
  # with `cmake --install build --component mpi`.
  if(TARGET presort-mpi)
    install(TARGETS presort-mpi COMPONENT mpi EXCLUDE_FROM_ALL)
  endif()
  install(DIRECTORY configs/machines configs/grids DESTINATION ${CMAKE_INSTALL_DATADIR}/presort)
  # Manual pages and completions, which cmake/write_documents.cmake has the command write after
  # linking.
  set(presort_documents ${PROJECT_BINARY_DIR}/share)
  install(DIRECTORY ${presort_documents}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
  install(FILES ${presort_documents}/completions/presort.bash OPTIONAL RENAME presort
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${presort_documents}/completions/_presort OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${presort_documents}/completions/presort.fish OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES third_party/uplot-1.6.32/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.uPlot)
endif()
