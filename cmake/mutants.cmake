# The flavour `mutants`: the kernel's sources, with KILN_HARNESS_MUTANTS those of the targets, worlds
# and generators too, are compiled from ${KILN_MUTATED}, where kiln-mutator writes them with a switch
# at every place that it can break. Paths below it are those below the checkout.

set(KILN_MUTATED ${CMAKE_BINARY_DIR}/mutated)
set(KILN_MUTATED_KERNEL kernel-src)
set(KILN_MUTATED_FILES all CACHE STRING
    "files whose mutants are made, from the top of the checkout; empty: only the named ones")
option(KILN_HARNESS_MUTANTS "also break targets, worlds and generators (mutate --harness)" OFF)
set(KILN_MUTATED_HARNESS)
if(KILN_HARNESS_MUTANTS)
  set(KILN_MUTATED_HARNESS targets worlds generators)
endif()

# What a rewritten source, and whatever includes one, is compiled with. Its first line names the
# original; names are from the top of the checkout there, and so they must be for all others.
add_library(kiln_mutated INTERFACE)
target_include_directories(kiln_mutated INTERFACE ${KILN_MUTATED})
target_compile_options(kiln_mutated INTERFACE -w -fdebug-compilation-dir=.
  -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -ffile-prefix-map=../../=
  "SHELL:-include ${KILN_MUTATED}/kiln_mutants.h")

function(kiln_rewrite_sources)
  set(originals)
  foreach(folder ${KILN_MUTATED_KERNEL} ${KILN_MUTATED_HARNESS})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
         ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h)
    list(APPEND originals ${found})
  endforeach()
  file(GLOB included CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sim/*.h ${CMAKE_SOURCE_DIR}/hal-host/*.*
       ${CMAKE_SOURCE_DIR}/gates/mutants/*.patch)
  list(TRANSFORM originals PREPEND ${KILN_MUTATED}/ OUTPUT_VARIABLE mirrored)
  list(TRANSFORM originals PREPEND ${CMAKE_SOURCE_DIR}/)
  set(some)
  if(KILN_MUTATED_HARNESS)
    set(some --harness ${KILN_MUTATED_HARNESS})
  endif()
  if(NOT KILN_MUTATED_FILES STREQUAL "all")
    list(JOIN KILN_MUTATED_FILES "," files)
    list(APPEND some "--files=${files}")
  endif()
  set(roles ${CMAKE_SOURCE_DIR}/gates/mutants/clay.roles)
  add_custom_command(
    OUTPUT ${mirrored} ${KILN_MUTATED}/kiln_mutants.h ${KILN_MUTATED}/mutant_table.cpp
           ${KILN_MUTATED}/mutants.json
    COMMAND kiln-mutator --build ${CMAKE_BINARY_DIR} --root ${CMAKE_SOURCE_DIR}
            --mutate ${KILN_MUTATED_KERNEL} ${some} --roles ${roles}
            --named ${CMAKE_SOURCE_DIR}/gates/mutants --out ${KILN_MUTATED}
    DEPENDS kiln-mutator ${originals} ${included} ${roles}
    COMMENT "Putting mutants into the sources" VERBATIM)
  add_custom_target(kiln_rewrite DEPENDS ${mirrored} ${KILN_MUTATED}/kiln_mutants.h)
endfunction()
kiln_rewrite_sources()

add_library(kiln_mutant_table OBJECT ${KILN_MUTATED}/mutant_table.cpp)
target_include_directories(kiln_mutant_table PRIVATE ${KILN_MUTATED})
target_link_libraries(kiln_mutant_table PRIVATE kiln_flags)
target_compile_options(kiln_mutant_table PRIVATE -O0 -g0)
add_dependencies(kiln_mutant_table kiln_rewrite)

# Makes libraries be compiled from the rewritten tree (their sources are named there already), or
# against its headers.
function(kiln_use_mutated)
  foreach(library ${ARGN})
    add_dependencies(${library} kiln_rewrite)
    target_include_directories(${library} BEFORE PRIVATE ${KILN_MUTATED})
    target_link_libraries(${library} PRIVATE kiln_mutated)
  endforeach()
endfunction()
