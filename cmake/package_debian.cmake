# Run by CPack between installing and packing. In a .deb, documents are compressed, the licences
# are the copyright file, and zsh's completion is where Debian has it look.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
find_program(GZIP gzip REQUIRED)

file(GLOB pages ${share}/man/man1/*.1)
file(RENAME ${share}/doc/presort/CHANGELOG.md ${share}/doc/presort/changelog)
# The time stamp is reproducible: string(TIMESTAMP) uses $SOURCE_DATE_EPOCH if that is set.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${share}/doc/presort/changelog.Debian
     "presort (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
     "  * Package of version ${CPACK_PACKAGE_VERSION}.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND ${GZIP} -9n ${pages} ${share}/doc/presort/changelog
                        ${share}/doc/presort/changelog.Debian
                COMMAND_ERROR_IS_FATAL ANY)

# uPlot's licence as a paragraph of the copyright file: indented, empty lines as dots
file(READ ${share}/doc/presort/LICENSE.uPlot uplot)
string(REGEX REPLACE "^.*(Permission is hereby)" " \\1" uplot "${uplot}")
string(REPLACE "\n\n" "\n.\n" uplot "${uplot}")
string(REPLACE "\n" "\n " uplot "${uplot}")

file(WRITE ${share}/doc/presort/copyright
     "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
     "Upstream-Name: presort\nComment: uPlot is a part of the command, which writes it into report pages.\n\n"
     "Files: *\nCopyright: 2026 presort developers\nLicense: Apache-2.0\n\n"
     "Files: third_party/uplot-1.6.32/*\nCopyright: 2022 Leon Sorokin\nLicense: Expat\n\n"
     "License: Apache-2.0\n"
     " On Debian systems the text of the Apache License, version 2.0, is in\n"
     " /usr/share/common-licenses/Apache-2.0.\n\n"
     "License: Expat\n${uplot}\n")
file(REMOVE ${share}/doc/presort/LICENSE ${share}/doc/presort/LICENSE.uPlot)

file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
file(RENAME ${share}/zsh/site-functions/_presort ${share}/zsh/vendor-completions/_presort)
file(REMOVE_RECURSE ${share}/zsh/site-functions)

# What lintian warns of, and why it stays
string(CONCAT overrides "# Not a package of Debian's archive, so no request to be one is closed\n"
              "presort: initial-upload-closes-no-bugs *\n")
file(GLOB libraries ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/lib/*/libpresort.so)
if(libraries)
  string(APPEND overrides
         "# One package has the command, its library and the headers, as they fit each other alone\n"
         "presort: package-name-doesnt-match-sonames *\n"
         "presort: link-to-shared-library-in-wrong-package *\n"
         "# CPack adds these calls to the trigger\n"
         "presort: maintscript-calls-ldconfig *\n")
endif()
file(WRITE ${share}/lintian/overrides/presort ${overrides})
