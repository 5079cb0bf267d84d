# The test frame, for lit. script/test calls it with -D build=FOLDER -D llvm=N.
#
# Substitutions
#   %clang %clangxx %opt %lli %llc %llvm-as %llvm-dis %llvm-link %FileCheck %not %count %split-file   tools of the LLVM version tested
#   %other_clang                the clang of the other version
#   %cc %cxx                    the system's gcc and g++
#   %cofactor %plugin %lib      the command, the plugin, the folder of libcofactor
#   %ad %adxx                   %clang and %clangxx with the plugin and our headers
#   %build %unit                the build folder, the unit test programs
#   %root                       the repository
#   %include %bench %data       our headers, bench/, the problem data (bench/data)
#   %tool                       folder of the programs of test/tool
#   %llvm                       22 or 19
# Features: llvm-22 or llvm-19, gdb, lld, avx2 and avx512 (this machine has them)
import os
import shutil

import lit.formats

build = lit_config.params.get("build")
llvm = lit_config.params.get("llvm", "22")
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if not build:
    build = os.path.join(root, "build", llvm)
tools = f"/usr/lib/llvm-{llvm}/bin"

config.name = f"cofactor-{llvm}"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".ll", ".c", ".cpp"]
config.excludes = ["Inputs", "tool"]
config.test_source_root = os.path.join(root, "test")
config.test_exec_root = os.path.join(build, "test")
config.unit_folder = os.path.join(build, "test", "unit")

config.available_features.add(f"llvm-{llvm}")
if shutil.which("gdb"):
    config.available_features.add("gdb")
if os.path.exists(f"{tools}/ld.lld"):
    config.available_features.add("lld")

if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo") as f:
        flags = f.read().split()
    for feature, flag in [("avx2", "avx2"), ("avx512", "avx512f")]:
        if flag in flags:
            config.available_features.add(feature)

for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "HOME", "TMPDIR", "COFACTOR_BENCH_DATA"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["COFACTOR_LLVM"] = llvm


def substitute(name, text):
    # Whole words only: %clang is not the beginning of %clangxx.
    config.substitutions.append((rf"%{name}(?![\w-])", text))


plugin = os.path.join(build, "lib", "cofactor-pass.so")
include = os.path.join(root, "include")
for tool in ["clang", "opt", "lli", "llc", "llvm-as", "llvm-dis", "llvm-link", "FileCheck", "not", "count", "split-file"]:
    substitute(tool, os.path.join(tools, tool))
substitute("other_clang", f"/usr/lib/llvm-{41 - int(llvm)}/bin/clang")
substitute("clangxx", os.path.join(tools, "clang++"))
substitute("ad", f"{tools}/clang -fpass-plugin={plugin} -I{include}")
substitute("adxx", f"{tools}/clang++ -fpass-plugin={plugin} -I{include}")
substitute("cc", "gcc")
substitute("cxx", "g++")
substitute("cofactor", os.path.join(build, "bin", "cofactor"))
substitute("plugin", plugin)
substitute("build", build)
substitute("lib", os.path.join(build, "lib"))
substitute("unit", config.unit_folder)
substitute("tool", os.path.join(build, "test", "tool"))
substitute("include", include)
substitute("root", root)
substitute("bench", os.path.join(root, "bench"))
substitute("data", os.path.join(root, "bench", "data"))
substitute("llvm", llvm)
