# What a bundle says about the build: commit, flags, compiler. Asked for at every build, written only
# when it has changed, so that a bundle never names a commit that its program is not from.

# The kernel's compile options, one a line.
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/kernel_flags_$<COMPILE_LANGUAGE>.txt
     CONTENT "$<JOIN:$<TARGET_PROPERTY:clay,COMPILE_OPTIONS>,\n>\n" TARGET clay)

add_custom_target(kiln_build_facts
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_SOURCE_DIR}
          -D FLAGS=${CMAKE_BINARY_DIR}/kernel_flags_CXX.txt
          -D OUT=${CMAKE_BINARY_DIR}/build_facts.cpp -D FLAVOUR=${KILN_FLAVOUR}
          -P ${CMAKE_SOURCE_DIR}/cmake/write_build_facts.cmake
  BYPRODUCTS ${CMAKE_BINARY_DIR}/build_facts.cpp
  COMMENT "Asking git for the commit" VERBATIM)
set_source_files_properties(${CMAKE_BINARY_DIR}/build_facts.cpp PROPERTIES GENERATED TRUE)
target_sources(kiln_gates PRIVATE ${CMAKE_BINARY_DIR}/build_facts.cpp)
add_dependencies(kiln_gates kiln_build_facts)
