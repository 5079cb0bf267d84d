// The door into clang, opt and lld: registers one module pass that calls cf_plugin_run (plugin.c).
//
// It runs at the start of the pipeline of every unit at every -O level, at the start of the link of full LTO, and by
// the name `cofactor`. LLVM's own structures change between versions, so a host of another version is refused.
#include "plugin/plugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
using namespace llvm;

namespace {
struct CofactorPass : PassInfoMixin<CofactorPass> {
    bool Link;
    explicit CofactorPass(bool Link) : Link(Link) {}
    PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
        bool Changed = cf_plugin_run(reinterpret_cast<LLVMModuleRef>(&M), Link);
        return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired() { return true; } // at -O0 and with optnone, too
};

void registerPass(PassBuilder &PB) {
    // Later versions pass the callbacks more arguments.
    PB.registerPipelineStartEPCallback([](ModulePassManager &P, auto...) { P.addPass(CofactorPass(false)); });
    PB.registerFullLinkTimeOptimizationEarlyEPCallback(
        [](ModulePassManager &P, auto...) { P.addPass(CofactorPass(true)); });
    PB.registerPipelineParsingCallback(
        [](StringRef Name, ModulePassManager &P, ArrayRef<PassBuilder::PipelineElement>) {
            if (Name != "cofactor") return false;
            P.addPass(CofactorPass(false));
            return true;
        });
}

// The version of the LLVM that the host runs: the first in the order of symbol search, ours comes after it.
unsigned hostVersion() {
    using Ask = void (*)(unsigned *, unsigned *, unsigned *);
    auto Version = reinterpret_cast<Ask>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
    unsigned Major = LLVM_VERSION_MAJOR;
    if (Version) Version(&Major, nullptr, nullptr);
    return Major;
}
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
    unsigned Host = hostVersion(), Version = LLVM_PLUGIN_API_VERSION;
    if (Host != LLVM_VERSION_MAJOR) {
        std::fprintf(
            stderr,
            "cofactor: this plugin is built for LLVM %d, but the program that loads it uses LLVM %u: use the "
            "plugin of build/%u, or clang, opt and lld of version %d\n",
            LLVM_VERSION_MAJOR, Host, Host, LLVM_VERSION_MAJOR);
        // An older host has room for fewer fields than are returned here.
        if (Host < LLVM_VERSION_MAJOR) std::exit(1);
        Version = 0;
    }
    return {Version, "cofactor", LLVM_VERSION_STRING, registerPass};
}
