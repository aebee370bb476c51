# The flavour `mutants`: a kernel's sources are compiled from a mirror below the build folder, where
# kiln-mutator writes them with a switch at every place that it can break. Paths below the mirror are
# those below the kernel's root: the checkout, or for a kernel elsewhere its own folder.
#
#   kiln_rewrite(ID ROOT folder OUT mirror KERNEL folder... [HARNESS folder...] [ROLES file]
#                [NAMED folder] [WORDS option...] [SEEN file...])
#
# makes the libraries ID_mutated, what all that sees rewritten sources is compiled with, and
# ID_mutant_table, for the program. Folders of KERNEL and HARNESS are from the root; WORDS are
# further options of kiln-mutator, SEEN what else the mutants depend on.

function(kiln_rewrite id)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROOT;OUT;ROLES;NAMED" "KERNEL;HARNESS;WORDS;SEEN")
  set(originals)
  foreach(folder ${arg_KERNEL} ${arg_HARNESS})
    set(patterns)
    foreach(ending cpp cc cxx h hpp hh hxx inc ipp)
      list(APPEND patterns ${arg_ROOT}/${folder}/*.${ending})
    endforeach()
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${arg_ROOT} ${patterns})
    list(APPEND originals ${found})
  endforeach()
  file(GLOB seen CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sim/*.h)
  list(APPEND seen ${arg_SEEN})
  list(TRANSFORM originals PREPEND ${arg_OUT}/ OUTPUT_VARIABLE mirrored)
  list(TRANSFORM originals PREPEND ${arg_ROOT}/)

  set(words ${arg_WORDS})
  if(arg_HARNESS)
    list(APPEND words --harness ${arg_HARNESS})
  endif()
  if(arg_ROLES)
    list(APPEND words --roles ${arg_ROLES})
    list(APPEND seen ${arg_ROLES})
  endif()
  if(arg_NAMED)
    file(GLOB patches CONFIGURE_DEPENDS ${arg_NAMED}/*.patch)
    list(APPEND words --named ${arg_NAMED})
    list(APPEND seen ${patches})
  endif()
  add_custom_command(
    OUTPUT ${mirrored} ${arg_OUT}/kiln_mutants.h ${arg_OUT}/mutant_table.cpp ${arg_OUT}/mutants.json
    COMMAND kiln-mutator --build ${CMAKE_BINARY_DIR} --root ${arg_ROOT} --mutate ${arg_KERNEL}
            ${words} --out ${arg_OUT}
    DEPENDS kiln-mutator ${originals} ${seen}
    COMMENT "Putting mutants into the sources of ${id}" VERBATIM)
  add_custom_target(${id}_rewrite DEPENDS ${mirrored} ${arg_OUT}/kiln_mutants.h)

  # The first line of a rewritten source names the original; names are from the root there, and so
  # they must be for all others. What is C is not rewritten.
  add_library(${id}_mutated INTERFACE)
  target_include_directories(${id}_mutated INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${arg_OUT}>)
  foreach(option -w -fdebug-compilation-dir=. -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=
          -ffile-prefix-map=../../= "SHELL:-include ${arg_OUT}/kiln_mutants.h")
    target_compile_options(${id}_mutated INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${option}>")
  endforeach()

  add_library(${id}_mutant_table OBJECT ${arg_OUT}/mutant_table.cpp)
  target_link_libraries(${id}_mutant_table PRIVATE kiln_flags)
  target_compile_options(${id}_mutant_table PRIVATE -O0 -g0)
  add_dependencies(${id}_mutant_table ${id}_rewrite)
endfunction()

# Makes libraries be compiled from the rewritten tree of `id` (their sources are named there
# already), or against its headers.
function(kiln_use_mutated id)
  foreach(library ${ARGN})
    add_dependencies(${library} ${id}_rewrite)
    target_include_directories(${library} BEFORE PRIVATE
      $<TARGET_PROPERTY:${id}_mutated,INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${library} PRIVATE ${id}_mutated)
  endforeach()
endfunction()

# Clay, and with KILN_HARNESS_MUTANTS the targets, worlds and generators.
set(KILN_MUTATED ${CMAKE_BINARY_DIR}/mutated)
set(KILN_MUTATED_KERNEL kernel-src)
set(KILN_MUTATED_FILES all CACHE STRING
    "files of Clay whose mutants are made, from the top of the checkout; empty: only the named ones")
option(KILN_HARNESS_MUTANTS "also break targets, worlds and generators (mutate --harness)" OFF)
set(KILN_MUTATED_HARNESS)
if(KILN_HARNESS_MUTANTS)
  set(KILN_MUTATED_HARNESS targets worlds generators)
endif()

function(kiln_rewrite_clay)
  set(words)
  if(NOT KILN_MUTATED_FILES STREQUAL "all")
    list(JOIN KILN_MUTATED_FILES "," files)
    set(words "--files=${files}")
  endif()
  file(GLOB hal CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/hal-host/*.*)
  kiln_rewrite(kiln ROOT ${CMAKE_SOURCE_DIR} OUT ${KILN_MUTATED} KERNEL ${KILN_MUTATED_KERNEL}
               HARNESS ${KILN_MUTATED_HARNESS} ROLES ${CMAKE_SOURCE_DIR}/gates/mutants/clay.roles
               NAMED ${CMAKE_SOURCE_DIR}/gates/mutants WORDS ${words} SEEN ${hal})
endfunction()
kiln_rewrite_clay()
