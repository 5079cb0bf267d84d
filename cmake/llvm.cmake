# Finds exactly one LLVM by its llvm-config-N. Several versions are installed side by side and their headers have the
# same names, so nothing is searched for: every path comes from this one program.
#
# Sets: LLVM_INCLUDE, LLVM_LIBDIR, LLVM_LIBRARY (a file), LLVM_BINDIR, LLVM_VERSION_FULL

if(NOT COFACTOR_LLVM MATCHES "^(22|19)$")
    message(FATAL_ERROR "COFACTOR_LLVM is ${COFACTOR_LLVM}: Cofactor is built with LLVM 22 or 19.")
endif()
# Not in the cache: a build folder that changes its version must look again.
find_program(llvm_config NAMES llvm-config-${COFACTOR_LLVM} NO_CACHE)
if(NOT llvm_config)
    message(FATAL_ERROR "llvm-config-${COFACTOR_LLVM} is not installed. On Debian, script/bootstrap installs it; "
                        "elsewhere install LLVM ${COFACTOR_LLVM} with its development files and clang.")
endif()

function(ask_llvm result option)
    execute_process(COMMAND ${llvm_config} ${option} OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    set(${result} ${answer} PARENT_SCOPE)
endfunction()
ask_llvm(LLVM_INCLUDE --includedir)
ask_llvm(LLVM_LIBDIR --libdir)
ask_llvm(LLVM_BINDIR --bindir)
ask_llvm(LLVM_VERSION_FULL --version)

set(LLVM_LIBRARY ${LLVM_LIBDIR}/libLLVM-${COFACTOR_LLVM}${CMAKE_SHARED_LIBRARY_SUFFIX})
if(NOT EXISTS ${LLVM_LIBRARY})
    message(FATAL_ERROR "${LLVM_LIBRARY} is missing: install the shared library of LLVM ${COFACTOR_LLVM} "
                        "(Debian: llvm-${COFACTOR_LLVM}-dev).")
endif()
foreach(tool clang opt llvm-link llvm-as)
    if(NOT EXISTS ${LLVM_BINDIR}/${tool})
        message(FATAL_ERROR "${LLVM_BINDIR}/${tool} is missing: rules are compiled with the clang of the same version "
                            "(Debian: script/bootstrap installs it).")
    endif()
endforeach()
message(STATUS "LLVM ${LLVM_VERSION_FULL} in ${LLVM_LIBDIR}")
