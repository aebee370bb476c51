# A kernel of one's own beside Clay (docs/bring-your-kernel.md):
#
#   kiln_add_kernel(mine KERNEL kernel HAL hal TARGETS targets)
#
# makes a program kiln-mine, which `scripts/fuzz.py --kernel mine` builds and starts, of all C and C++
# files below those folders. They may include each other from the folder of the caller's
# CMakeLists.txt, and the HAL and targets also sim/, worlds/ and generators/. What else the kernel
# needs goes onto the libraries mine, mine_hal and mine_targets (target_include_directories,
# target_compile_options, ...).
#
# Of use to `mutate` (docs/mutation.md), each from the caller's CMakeLists.txt, and each may be left
# out: ROLES file, NAMED folder of patches, EQUIVALENTS folder of lists.

set(KILN_KERNELS "" CACHE STRING "folders of kernels of one's own, each with a CMakeLists.txt")

include(cmake/own_mutants.cmake)

# All C and C++ sources below the folders.
function(kiln_sources_of_kernel out library)
  set(sources)
  foreach(folder ${ARGN})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.c
         ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cc ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "kiln_add_kernel: there is no C or C++ file for ${library} in '${ARGN}' "
                        "below ${CMAKE_CURRENT_SOURCE_DIR}.")
  endif()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# A library with the kernel side's flags.
function(kiln_kernel_library library kind)
  add_library(${library} ${kind} ${ARGN})
  target_include_directories(${library} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${library} PRIVATE kiln_kernel_side)
  # Findings name files from the top of the checkout, and those of a kernel elsewhere from its top.
  cmake_path(IS_PREFIX CMAKE_SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR} inside)
  if(NOT inside)
    target_compile_options(${library} PRIVATE -ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=)
  endif()
endfunction()

function(kiln_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROLES;NAMED;EQUIVALENTS" "KERNEL;HAL;TARGETS")
  if(NOT arg_KERNEL OR NOT arg_HAL OR NOT arg_TARGETS OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
            "kiln_add_kernel(NAME KERNEL folder... HAL folder... TARGETS folder...): all are needed.")
  endif()
  kiln_sources_of_kernel(kernel ${name} ${arg_KERNEL})
  kiln_sources_of_kernel(hal ${name}_hal ${arg_HAL})
  kiln_sources_of_kernel(targets ${name}_targets ${arg_TARGETS})
  if(KILN_FLAVOUR STREQUAL "mutants")
    kiln_mutate_kernel(${name} kernel KERNEL ${arg_KERNEL} SEEN ${arg_HAL} ${arg_TARGETS}
                       ROLES ${arg_ROLES} NAMED ${arg_NAMED})
  endif()
  kiln_kernel_library(${name} STATIC ${kernel})
  kiln_kernel_library(${name}_hal STATIC ${hal})
  kiln_kernel_library(${name}_targets OBJECT ${targets})
  target_compile_definitions(${name}_hal PRIVATE KILN_KERNEL_NAME="${name}")
  target_link_libraries(${name}_hal PUBLIC kiln_sim)
  target_link_libraries(${name}_targets PUBLIC kiln_worlds)
  foreach(user ${name}_hal ${name}_targets) # the kernel's own include folders
    target_include_directories(${user} PRIVATE $<TARGET_PROPERTY:${name},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()

  add_executable(kiln-${name} ${CMAKE_SOURCE_DIR}/gates/main.cpp)
  target_link_libraries(kiln-${name} PRIVATE kiln_gates)
  kiln_link_machine(kiln-${name} ${name} ${name}_hal ${name}_targets)
  set_target_properties(kiln-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  if(TARGET ${name}_rewrite)
    kiln_use_mutated_kernel(${name} "${arg_EQUIVALENTS}")
  endif()
endfunction()

# Those of KILN_KERNELS; a relative folder is one of the checkout.
function(kiln_add_listed_kernels)
  foreach(folder ${KILN_KERNELS})
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR} NORMALIZE)
    string(MD5 unique ${folder})
    add_subdirectory(${folder} kernels/${unique})
  endforeach()
endfunction()
