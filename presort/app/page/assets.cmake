# Writes the style sheet, the script and the chart library of report pages into a source file of the
# command, at configuration: assets.cpp in the build folder. A change of a file configures again.
set(page_folder ${CMAKE_CURRENT_LIST_DIR})
set(uplot_folder ${PROJECT_SOURCE_DIR}/third_party/uplot-1.6.32)
foreach(asset page_css:${page_folder}/assets/page.css page_js:${page_folder}/assets/page.js
        uplot_css:${uplot_folder}/uPlot.min.css uplot_js:${uplot_folder}/uPlot.iife.min.js
        uplot_licence:${uplot_folder}/LICENSE)
  string(REGEX MATCH "^[a-z_]+" name ${asset})
  string(REGEX REPLACE "^[a-z_]+:" "" file ${asset})
  file(READ ${file} ${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
configure_file(${page_folder}/assets.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/page/assets.cpp @ONLY)
target_sources(presort_app PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page/assets.cpp)
