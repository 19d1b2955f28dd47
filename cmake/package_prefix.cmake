# Read by CPack once for each kind of package: a .deb is installed to /usr, an archive anywhere.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
