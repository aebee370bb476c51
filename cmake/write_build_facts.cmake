# Run by build_facts.cmake: cmake -D SOURCE= -D FLAGS= -D OUT= -D FLAVOUR= -P this.

function(ask_git out)
  execute_process(COMMAND git -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE answer ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    set(answer "")
  endif()
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

ask_git(commit rev-parse HEAD)
ask_git(edits status --porcelain --untracked-files=no)
ask_git(repository config --get remote.origin.url)
# No user and no password.
string(REGEX REPLACE "://[^/@]*@" "://" repository "${repository}")

set(dirty false)
if(edits)
  set(dirty true)
endif()

file(READ ${FLAGS} flags)
string(REPLACE "${SOURCE}/" "" flags "${flags}")
string(REPLACE "SHELL:" "" flags "${flags}")
string(STRIP "${flags}" flags)
string(REPLACE ";" "\\;" flags "${flags}")
string(REPLACE "\n" ";" flags "${flags}")
set(rows "")
foreach(flag IN LISTS flags)
  if(flag)
    string(APPEND rows "    \"${flag}\",\n")
  endif()
endforeach()

file(WRITE ${OUT}.new "// Written by cmake/write_build_facts.cmake.
#include \"gates/support/build_facts.h\"

namespace kiln::gates {
namespace {
constexpr const char* kFlags[] = {
${rows}};
} // namespace

const BuildFacts& build_facts() {
  static constexpr BuildFacts facts{\"${repository}\", \"${commit}\", ${dirty}, \"${FLAVOUR}\",
                                    __VERSION__, kFlags};
  return facts;
}
} // namespace kiln::gates
")
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUT}.new ${OUT})
file(REMOVE ${OUT}.new)
