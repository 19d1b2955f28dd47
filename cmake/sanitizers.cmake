# PRESORT_SANITIZE: the sanitizers that all of presort is built with.
#   off      none; OFF is the same
#   address  address and undefined behaviour; ON is the same
#   thread   data races
set(PRESORT_SANITIZE off CACHE STRING "Sanitizers: off, address (with undefined) or thread")
set_property(CACHE PRESORT_SANITIZE PROPERTY STRINGS off address thread)
string(TOLOWER "${PRESORT_SANITIZE}" presort_sanitize)
if(presort_sanitize MATCHES "^(on|address)$")
  set(presort_sanitizers address,undefined)
elseif(presort_sanitize STREQUAL "thread")
  set(presort_sanitizers thread)
elseif(NOT presort_sanitize STREQUAL "off")
  message(FATAL_ERROR "PRESORT_SANITIZE: found '${PRESORT_SANITIZE}', accepted: off, address, thread; \
OFF for off, ON for address")
endif()

if(presort_sanitizers)
  add_compile_options(-fsanitize=${presort_sanitizers} -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${presort_sanitizers})
endif()
