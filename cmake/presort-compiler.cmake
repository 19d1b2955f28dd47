# presort_compiler_problem(result): sets `result` to a text on what is wrong with this project's C++
# compiler, or to nothing. All tests have passed with the least versions; other compilers are
# accepted, but none was tried.
function(presort_compiler_problem result)
  set(least_GNU 12)
  set(least_Clang 15)
  set(${result} "" PARENT_SCOPE)
  set(least ${least_${CMAKE_CXX_COMPILER_ID}})
  if(least AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS least)
    set(${result} "presort needs g++ ${least_GNU} or clang ${least_Clang} or later; found \
${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER})" PARENT_SCOPE)
  endif()
endfunction()
