# Unit tests: one program per file of test/unit, run by lit (test/unit/lit.local.cfg) as build/N/test/unit/NAME.
find_path(CMOCKA_INCLUDE cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
if(NOT CMOCKA_INCLUDE OR NOT CMOCKA_LIBRARY)
    message(FATAL_ERROR "cmocka is missing (Debian: libcmocka-dev). Without unit tests: -DCOFACTOR_TESTS=OFF")
endif()

foreach(name ${UNIT_TESTS})
    add_executable(unit-${name} test/unit/${name}.c)
    target_include_directories(unit-${name} SYSTEM PRIVATE ${CMOCKA_INCLUDE})
    target_link_libraries(unit-${name} PRIVATE cofactor-flags cofactor-archive ${LLVM_LIBRARY} ${CMOCKA_LIBRARY} Threads::Threads m)
    set_target_properties(unit-${name} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE CXX
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit BUILD_RPATH ${LLVM_LIBDIR})
endforeach()

# Programs that tests use: build/N/test/tool/NAME.
foreach(name ${TEST_TOOLS})
    add_executable(tool-${name} test/tool/${name}.c)
    target_link_libraries(tool-${name} PRIVATE cofactor-rooms ${LLVM_LIBRARY} Threads::Threads m)
    set_target_properties(tool-${name} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE CXX
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/tool BUILD_RPATH ${LLVM_LIBDIR})
endforeach()
