# Has the command write its manual pages and completion scripts, after it was linked: into man/man1/ and
# completions/ of a folder. Where the command cannot be run, they are left out with a warning.
# usage: cmake -DPRESORT=… -DFOLDER=… -P write_documents.cmake

# write_output(FILE WORD …): runs the command with the WORDs and writes its standard output to FILE in the
# folder.
function(write_output file)
  execute_process(COMMAND ${PRESORT} ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE message
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(WARNING "presort ${ARGN}: exit status ${status}: ${message}; ${file} is left out")
    return()
  endif()
  file(WRITE ${FOLDER}/${file} "${text}")
endfunction()

file(REMOVE_RECURSE ${FOLDER}/man ${FOLDER}/completions)
write_output(completions/presort.bash completion bash)
write_output(completions/_presort completion zsh)
write_output(completions/presort.fish completion fish)
write_output(man/man1/presort.1 help --man)
# Lists the subcommands: each is the first word of a line that the command prints.
execute_process(COMMAND ${PRESORT} completion words help --man "" OUTPUT_VARIABLE lines)
string(REPLACE ";" "," lines "${lines}")
string(REGEX MATCHALL "[^\n]+" lines "${lines}")
foreach(line ${lines})
  string(REGEX REPLACE " .*" "" name "${line}")
  write_output(man/man1/presort-${name}.1 help --man ${name})
endforeach()
