# Writes the sources' git commit to a header, unless the header has that commit already.
# usage: cmake -DSOURCE_DIR=… -DHEADER=… -P write_commit.cmake
set(commit "")
if(EXISTS ${SOURCE_DIR}/.git)
  find_program(GIT git)
  if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} describe --always --dirty=\ and\ changes --exclude=*
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
set(text "// Commit of the sources, or \"\" where it is not known; written by each build.\n")
string(APPEND text "#define PRESORT_BUILD_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${HEADER} "${text}")
endif()
