# Flavours, and the two sets of flags: the host side (sim, worlds, runner) and the kernel side
# (everything that includes a kernel header). docs/architecture.md, "Flavours", says why each is here.

set(KILN_FLAVOUR gate CACHE STRING "gate, fast, fuzzer, cover or mutants")
set_property(CACHE KILN_FLAVOUR PROPERTY STRINGS gate fast fuzzer cover mutants)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
set(KILN_COMPILER_LAUNCHER "$ENV{KILN_COMPILER_LAUNCHER}" CACHE STRING "ccache, or nothing")
if(KILN_COMPILER_LAUNCHER)
  # ccache does not look into the list of what the sanitizers leave out. Flavours share what is the
  # same in them: paths are relative to the build folder, whose name does not count.
  set(base "$ENV{CCACHE_BASEDIR}")
  if(NOT base)
    set(base ${CMAKE_SOURCE_DIR})
  endif()
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${base} CCACHE_NOHASHDIR=1
      CCACHE_EXTRAFILES=${CMAKE_SOURCE_DIR}/cmake/sanitize-ignore.txt ${KILN_COMPILER_LAUNCHER})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# Headers that take seconds in every source of a library are read once.
function(kiln_precompile library)
  target_precompile_headers(${library} PRIVATE ${ARGN})
  target_compile_options(${library} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  if(KILN_COMPILER_LAUNCHER)
    set_target_properties(${library} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

add_library(kiln_flags INTERFACE)
target_include_directories(kiln_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(kiln_flags INTERFACE
  # What is not on the path of an input (target property KILN_OFF_PATH) is built quickly instead.
  "$<IF:$<BOOL:$<TARGET_PROPERTY:KILN_OFF_PATH>>,-O1;-gline-tables-only,-O2;-g>"
  -gno-column-info -Wall -Wextra -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer
  -fno-pie)
# Debug information names files from the top of the checkout. A compiler cache makes paths relative
# by itself, and must not see the checkout's own path, or it would share nothing between checkouts.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  file(RELATIVE_PATH below ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  # What is not rewritten is compiled as in `gate`, and taken from its cache.
  string(REGEX REPLACE "/mutants[^/]*$" "/gate" below ${below})
  target_compile_options(kiln_flags INTERFACE -fdebug-compilation-dir=${below})
else()
  target_compile_options(kiln_flags INTERFACE -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
endif()
# Not position independent: code and data keep their addresses with or without randomisation.
target_link_options(kiln_flags INTERFACE -fuse-ld=lld-19 -no-pie)

set(KILN_CHECKED OFF)
if(KILN_FLAVOUR MATCHES "^(gate|fuzzer|cover|mutants)$")
  set(KILN_CHECKED ON)
endif()
if(KILN_CHECKED)
  # Use-after-return detection keeps frames outside the snapshot (docs/architecture.md, "Reset").
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all
      -fno-sanitize=function,vptr -fsanitize-address-use-after-return=never)
  target_compile_options(kiln_flags INTERFACE ${sanitize})
  include(cmake/hooks.cmake)
  target_link_options(kiln_flags INTERFACE -fsanitize=address,undefined ${KILN_WRAPPED})
endif()

add_library(kiln_host INTERFACE)
target_link_libraries(kiln_host INTERFACE kiln_flags)

# The kernel side: freestanding style, a hook at every atomic operation, fixed garbage in fresh
# locals, and no frame reordering that would change what a run does between flavours.
add_library(kiln_kernel_flags INTERFACE)
target_compile_options(kiln_kernel_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics>
  -ftrivial-auto-var-init=pattern
  "SHELL:-Xclang -fsanitize=thread"
  "SHELL:-mllvm -tsan-instrument-memory-accesses=0"
  "SHELL:-mllvm -tsan-instrument-func-entry-exit=0"
  "SHELL:-mllvm -tsan-instrument-memintrinsics=0")
if(KILN_CHECKED)
  # Named from the build folder, where compilers run, and after its contents: a compiler cache serves
  # other checkouts then, and no objects of another list.
  file(SHA256 ${CMAKE_SOURCE_DIR}/cmake/sanitize-ignore.txt ignored)
  string(SUBSTRING ${ignored} 0 8 ignored)
  configure_file(cmake/sanitize-ignore.txt ${CMAKE_BINARY_DIR}/sanitize-ignore-${ignored}.txt COPYONLY)
  target_compile_options(kiln_kernel_flags INTERFACE
    -fsanitize=unsigned-integer-overflow,implicit-conversion,local-bounds
    -fno-sanitize-recover=all
    -fdata-sections # the checks' own records in sections that kmachine.ld can leave out
    -fsanitize-ignorelist=sanitize-ignore-${ignored}.txt)
endif()
if(KILN_FLAVOUR STREQUAL "fuzzer")
  # Counters from the kernel's own functions only, those of its headers included: every object of
  # the kernel side is instrumented, the list says which functions count. A function that is inlined
  # into a target would count as the target's and be lost; so whatever is more than an access is kept
  # out of line there.
  target_compile_options(kiln_kernel_flags INTERFACE
    -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp
    -fsanitize-coverage-allowlist=${CMAKE_SOURCE_DIR}/cmake/coverage-allow.txt)
  set(KILN_OUT_OF_LINE_FLAGS "SHELL:-mllvm -inline-threshold=0"
                             "SHELL:-mllvm -inlinehint-threshold=0")
elseif(KILN_FLAVOUR STREQUAL "cover")
  # All of the kernel side: what a header of the kernel says is compiled into targets too. Only
  # `cover` wants the counters in a file, and says in which. Names are
  # whole here, however the compiler is called, so that the kernel's can be told from others.
  target_compile_options(kiln_kernel_flags INTERFACE
    -fprofile-instr-generate=/dev/null -fcoverage-mapping
    -fcoverage-compilation-dir=${CMAKE_BINARY_DIR}
    -fcoverage-prefix-map=${CMAKE_SOURCE_DIR}/=${CMAKE_SOURCE_DIR}/)
  target_link_options(kiln_flags INTERFACE -fprofile-instr-generate)
endif()

add_library(kiln_kernel_side INTERFACE)
target_link_libraries(kiln_kernel_side INTERFACE kiln_flags kiln_kernel_flags)

# Collects the .data and .bss of a program's kernel-side libraries (static and object ones) into one
# region that a reset restores.
function(kiln_place_machine program)
  set(KILN_PLACED "")
  foreach(library ${ARGN})
    get_target_property(type ${library} TYPE)
    set(objects "*${library}.dir*")
    if(type STREQUAL "STATIC_LIBRARY")
      set(objects "*lib${library}.a:*")
    endif()
    string(APPEND KILN_PLACED "    ${objects}(.data .data.* .bss .bss.* COMMON)\n")
  endforeach()
  set(script ${CMAKE_BINARY_DIR}/${program}.ld)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/kmachine.ld.in ${script} @ONLY)
  target_link_options(${program} PRIVATE "LINKER:-T,${script}")
  set_property(TARGET ${program} APPEND PROPERTY LINK_DEPENDS ${script})
endfunction()
