# Makes packages of an installation by CPack: .deb and .tar.gz. scripts/package.sh makes and checks both.
set(CPACK_PACKAGE_NAME presort)
set(CPACK_PACKAGE_VENDOR "presort developers")
set(CPACK_PACKAGE_CONTACT "presort developers <developers@presort.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "predict and tune radix pre-sorting for group-by and scatter")
set(CPACK_PACKAGE_DESCRIPTION
    "presort tells whether moving the inputs into parts by the top bits of
their labels makes a multireduce (group-by), histogram, scatter, gather
or scan faster on a machine, by how much, and with which parameters.
It predicts by simulation, chooses a plan, runs it, and compares.
.
This package has the command, its machine files, the library for
programs in C, and the C++ libraries, all with their headers.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 1)
set(CPACK_PACKAGE_FILE_NAME presort-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libpresort.so: what programs that are linked with it depend on, and the refresh of ld.so's cache
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
if(PRESORT_C)
  file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
endif()
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "gnuplot-nox, g++, cmake, libyaml-cpp-dev, nlohmann-json3-dev, zlib1g-dev, liblzma-dev, libzstd-dev, libeigen3-dev")

# A .deb has Debian's own folders and compressed documents; an archive has what cmake --install makes.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/package_prefix.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package_debian.cmake)
include(CPack)
