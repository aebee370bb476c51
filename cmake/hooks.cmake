# The sanitizers' reports that become findings in process (sim/hooks_undefined.cpp,
# sim/hooks_address.cpp): calls of instrumented code are led to the __wrap_ functions there.
set(KILN_WRAPPED)
foreach(handler
    add_overflow_abort sub_overflow_abort mul_overflow_abort divrem_overflow_abort
    negate_overflow_abort shift_out_of_bounds_abort out_of_bounds_abort implicit_conversion_abort
    load_invalid_value_abort type_mismatch_v1_abort pointer_overflow_abort builtin_unreachable
    missing_return vla_bound_not_positive_abort nonnull_arg_abort nonnull_return_v1_abort
    invalid_builtin_abort float_cast_overflow_abort alignment_assumption_abort)
  list(APPEND KILN_WRAPPED __ubsan_handle_${handler})
endforeach()
foreach(access load1 load2 load4 load8 load16 load_n store1 store2 store4 store8 store16 store_n)
  list(APPEND KILN_WRAPPED __asan_report_${access})
endforeach()
list(APPEND KILN_WRAPPED __asan_handle_no_return)
list(TRANSFORM KILN_WRAPPED PREPEND "LINKER:--wrap=")
