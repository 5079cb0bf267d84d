# cofactor_bitcode(name sources...): compiles C to one bitcode module, bitcode/NAME.bc in the build folder, and embeds
# it (src/llvm/embed.h: cf_NAME_bitcode). Sets EMBEDDED_<NAME> to the generated C file.
#
# The module is linked into programs of any target CPU and optimisation level and must inline there. So clang of the
# same major version compiles it unoptimised, only promotion to SSA follows, and bitcode.sed takes away what binds a
# function to the options it was compiled with.

set(BITCODE_FLAGS -std=gnu11 -D_GNU_SOURCE -O1 -Xclang -disable-llvm-passes -fno-math-errno -ffp-contract=off
    -fPIC -fno-stack-protector -fno-asynchronous-unwind-tables -fomit-frame-pointer
    -Wall -Wextra -Wpedantic -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include)
if(COFACTOR_WERROR)
    list(APPEND BITCODE_FLAGS -Werror)
endif()

set(BITCODE_FLAGS_CONTEXT -fexceptions) # a callback may throw

function(cofactor_bitcode name)
    string(TOUPPER ${name} upper)
    set(dir ${PROJECT_BINARY_DIR}/bitcode)
    file(MAKE_DIRECTORY ${dir}/${name})
    file(WRITE ${dir}/empty.ll "; nothing\n")
    set(parts)
    foreach(source ${ARGN})
        get_filename_component(stem ${source} NAME_WE)
        set(part ${dir}/${name}/${stem}.bc)
        add_custom_command(
            OUTPUT ${part}
            COMMAND ${LLVM_BINDIR}/clang ${BITCODE_FLAGS} ${BITCODE_FLAGS_${upper}} -MD -MF ${part}.d -MT ${part}
                    -emit-llvm -c ${PROJECT_SOURCE_DIR}/${source} -o ${part}
            DEPENDS ${source} DEPFILE ${part}.d
            COMMENT "Bitcode ${source}" VERBATIM)
        list(APPEND parts ${part})
    endforeach()
    set(inputs ${parts})
    if(NOT inputs)
        set(inputs ${dir}/empty.ll)
    endif()
    set(module ${dir}/${name}.bc)
    set(clean ${PROJECT_SOURCE_DIR}/cmake/bitcode.sed)
    add_custom_command(
        OUTPUT ${module}
        COMMAND ${LLVM_BINDIR}/llvm-link ${inputs} -o ${dir}/${name}.linked.bc
        COMMAND ${LLVM_BINDIR}/opt -S "-passes=function(sroa,early-cse)" ${dir}/${name}.linked.bc -o ${dir}/${name}.ssa.ll
        COMMAND sed -E -f ${clean} ${dir}/${name}.ssa.ll > ${dir}/${name}.ll
        COMMAND ${LLVM_BINDIR}/llvm-as ${dir}/${name}.ll -o ${module}
        DEPENDS ${parts} ${clean}
        COMMENT "Bitcode ${name}.bc" VERBATIM)
    set(embedded ${dir}/embed_${name}.c)
    set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
    add_custom_command(
        OUTPUT ${embedded}
        COMMAND ${CMAKE_COMMAND} -DIN=${module} -DOUT=${embedded} -DNAME=cf_${name}_bitcode -P ${script}
        DEPENDS ${module} ${script}
        COMMENT "Embedding ${name}.bc" VERBATIM)
    set(EMBEDDED_${upper} ${embedded} PARENT_SCOPE)
endfunction()
