// What llvm-c lacks: see cfx.h. One source for LLVM 19 and 22.
#include "llvm/cfx.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
using namespace llvm;

template <class T = Value> static T *V(LLVMValueRef v) { return cast<T>(reinterpret_cast<Value *>(v)); }
static LLVMValueRef W(const Value *v) { return reinterpret_cast<LLVMValueRef>(const_cast<Value *>(v)); }
static BasicBlock *BB(LLVMBasicBlockRef b) { return reinterpret_cast<BasicBlock *>(b); }
static Module *M(LLVMModuleRef m) { return reinterpret_cast<Module *>(m); }

// ---- messages

void cfx_diagnose(LLVMModuleRef m, bool error, const char *file, unsigned line, unsigned column,
                  const char *text) {
    LLVMContext &C = M(m)->getContext();
    auto S = error ? DS_Error : DS_Warning;
    // The kind of message that has a place asks for a function, too.
    if (!file || M(m)->empty()) return C.diagnose(DiagnosticInfoInlineAsm(0, text, S));
    auto *File = DIFile::get(C, file, "");
    auto *Type = DISubroutineType::get(C, DINode::FlagZero, 0, MDTuple::get(C, {}));
    auto *Scope = DISubprogram::getDistinct(C, File, "", "", File, line, Type, line, nullptr, 0, 0,
                                            DINode::FlagZero, DISubprogram::SPFlagZero, nullptr);
    DebugLoc Place(DILocation::get(C, line, column, Scope));
    C.diagnose(DiagnosticInfoUnsupported(*M(m)->begin(), text, Place, S));
}

// ---- changes

void cfx_erase_global(LLVMValueRef v) { V<GlobalValue>(v)->eraseFromParent(); }
bool cfx_is_unused(LLVMValueRef v) {
    auto *G = V<GlobalValue>(v);
    G->removeDeadConstantUsers();
    return G->use_empty();
}
LLVMValueRef cfx_make_declaration(LLVMValueRef v) {
    if (auto *F = dyn_cast<Function>(V(v))) {
        F->deleteBody();
        F->setComdat(nullptr);
        return v;
    }
    if (auto *G = dyn_cast<GlobalVariable>(V(v))) {
        G->setInitializer(nullptr);
        G->setComdat(nullptr);
        G->setLinkage(GlobalValue::ExternalLinkage);
        return v;
    }
    auto *A = V<GlobalValue>(v);
    GlobalValue *N;
    if (auto *T = dyn_cast<FunctionType>(A->getValueType()))
        N = Function::Create(T, GlobalValue::ExternalLinkage, A->getAddressSpace(), "", A->getParent());
    else
        N = new GlobalVariable(*A->getParent(), A->getValueType(), false, GlobalValue::ExternalLinkage,
                               nullptr, "", nullptr, A->getThreadLocalMode(), A->getAddressSpace());
    N->setVisibility(A->getVisibility());
    N->setDSOLocal(A->isDSOLocal());
    N->takeName(A);
    A->replaceAllUsesWith(N);
    A->eraseFromParent();
    return W(N);
}
LLVMMetadataRef cfx_make_subprogram(LLVMValueRef f, LLVMValueRef like, unsigned line) {
    auto *F = V<Function>(f);
    DISubprogram *Model = V<Function>(like)->getSubprogram(), *Old = F->getSubprogram();
    F->setSubprogram(nullptr);
    if (!Model || !Model->getUnit()) return nullptr;
    LLVMContext &C = F->getContext();
    DIFile *File = Old ? Old->getFile() : Model->getFile();
    DIScope *Scope = Old ? Old->getScope() : File;
    auto *Type = Old ? Old->getType() : DISubroutineType::get(C, DINode::FlagZero, 0, MDTuple::get(C, {}));
    StringRef Name = Old ? Old->getName() : F->getName(), Linkage = Old ? Old->getLinkageName() : "";
    auto Flags = DISubprogram::SPFlagDefinition | (Model->getSPFlags() & DISubprogram::SPFlagOptimized);
    auto *S = DISubprogram::getDistinct(C, Scope, Name, Linkage, File, line, Type, line, nullptr, 0, 0,
                                        DINode::FlagPrototyped, Flags, Model->getUnit());
    F->setSubprogram(S);
    return reinterpret_cast<LLVMMetadataRef>(S);
}
// The variable that is parameter k of the source, as far as any location or the list of variables names it.
static void note_variable(DILocalVariable *L, DISubprogram *S, SmallVectorImpl<DILocalVariable *> &by) {
    if (!L || !L->getArg() || L->getScope() != S || L->getArg() > 1000) return;
    if (by.size() <= L->getArg()) by.resize(L->getArg() + 1);
    by[L->getArg()] = L;
}
static void find_parameters(Function &F, SmallVectorImpl<DILocalVariable *> &by) {
    DISubprogram *S = F.getSubprogram();
    for (DINode *N : S->getRetainedNodes()) note_variable(dyn_cast<DILocalVariable>(N), S, by);
    for (Instruction &I : instructions(F)) {
        if (auto *D = dyn_cast<DbgVariableIntrinsic>(&I)) note_variable(D->getVariable(), S, by);
        for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
            note_variable(R.getVariable(), S, by);
    }
}
static DIType *result_type(Function &F) {
    DITypeRefArray Types = F.getSubprogram()->getType()->getTypeArray();
    return Types.size() ? Types[0] : nullptr;
}
// `const double *` → `double *`
static DIType *to_written(DIBuilder &B, DIType *T) {
    auto *Pointer = dyn_cast<DIDerivedType>(T);
    if (!Pointer || Pointer->getTag() != dwarf::DW_TAG_pointer_type) return T;
    auto *Const = dyn_cast_or_null<DIDerivedType>(Pointer->getBaseType());
    if (!Const || Const->getTag() != dwarf::DW_TAG_const_type) return T;
    return B.createPointerType(Const->getBaseType(), 64);
}
void cfx_describe_parameters(LLVMValueRef f, LLVMValueRef like, const cfx_parameter *p,
                             LLVMMetadataRef location) {
    auto *F = V<Function>(f);
    DISubprogram *S = F->getSubprogram();
    SmallVector<DILocalVariable *, 8> Known;
    find_parameters(*V<Function>(like), Known);
    DIBuilder B(*F->getParent(), false, S->getUnit());
    DITypeRefArray Types = S->getType()->getTypeArray();
    bool Typed = Types.size() == F->arg_size() + 1;
    for (Argument &A : F->args()) {
        const cfx_parameter &P = p[A.getArgNo()];
        DILocalVariable *L = P.of && P.of < Known.size() ? Known[P.of] : nullptr;
        if (P.skip || (P.of && !L)) continue;
        DIType *T = Typed ? Types[A.getArgNo() + 1] : L ? L->getType() : result_type(*V<Function>(like));
        if (!T) continue;
        if (!Typed && P.written) T = to_written(B, T);
        if (!Typed && P.to) T = B.createPointerType(T, 64);
        std::string Name = (L ? L->getName().str() : std::string()) + P.ending;
        DILocalVariable *Made =
            B.createParameterVariable(S, Name, A.getArgNo() + 1, S->getFile(), S->getLine(), T, true);
        B.insertDbgValueIntrinsic(&A, Made, B.createExpression(), unwrap<DILocation>(location),
                                  &F->getEntryBlock());
    }
    B.finalize();
}
char *cfx_inlined_names(LLVMValueRef inst, const char *sep) {
    std::string Text;
    for (const DILocation *L = V<Instruction>(inst)->getDebugLoc().get(); L; L = L->getInlinedAt())
        if (DISubprogram *S = L->getScope()->getSubprogram())
            Text += (Text.empty() ? "" : sep) + S->getName().str();
    return Text.empty() ? nullptr : strdup(Text.c_str());
}
char *cfx_demangle(const char *name) { return itaniumDemangle(name); }
void cfx_drop_used(LLVMModuleRef m, bool (*drop)(void *, LLVMValueRef), void *user) {
    removeFromUsedLists(*M(m), [&](Constant *C) { return drop(user, W(C->stripPointerCasts())); });
}
void cfx_phi_set_block(LLVMValueRef phi, unsigned i, LLVMBasicBlockRef block) {
    V<PHINode>(phi)->setIncomingBlock(i, BB(block));
}
bool cfx_inline(LLVMValueRef call) {
    InlineFunctionInfo Info;
    return InlineFunction(*V<CallBase>(call), Info).isSuccess();
}

// ---- modules

static bool names_block(const Constant *C) {
    if (isa<BlockAddress>(C)) return true;
    if (isa<GlobalValue>(C)) return false;
    return any_of(C->operands(),
                  [](const Use &U) { return isa<Constant>(U) && names_block(cast<Constant>(U)); });
}
LLVMModuleRef cfx_clone_module(LLVMModuleRef m, bool (*keep)(void *, LLVMValueRef), void *user) {
    ValueToValueMapTy Map;
    DebugInfoFinder Finder;
    Finder.processModule(*M(m));
    for (DICompileUnit *U : Finder.compile_units()) Map.MD()[U].reset(U);
    for (DISubprogram *S : Finder.subprograms()) Map.MD()[S].reset(S);
    for (DIType *T : Finder.types()) Map.MD()[T].reset(T);
    for (DIScope *S : Finder.scopes()) Map.MD()[S].reset(S);
    auto Keep = [&](const GlobalValue *G) { return keep(user, W(G)); };
    auto Copy = CloneModule(*M(m), Map, Keep);
    // Initialisers are copied before there are blocks, so addresses of blocks in them are wrong: once more.
    ValueToValueMapTy Made;
    for (const auto &Entry : Map)
        if (isa<GlobalValue>(Entry.first) || isa<BasicBlock>(Entry.first)) Made[Entry.first] = Entry.second;
    for (GlobalVariable &G : M(m)->globals()) {
        auto *To = cast<GlobalVariable>(Map.lookup(&G));
        if (To->hasInitializer() && names_block(G.getInitializer()))
            To->setInitializer(MapValue(G.getInitializer(), Made));
    }
    for (Function &F : *Copy) F.removeDeadConstantUsers();
    return reinterpret_cast<LLVMModuleRef>(Copy.release());
}
bool cfx_link_back(LLVMModuleRef dst, LLVMModuleRef src) {
    // dst has these already: the modules share their nodes.
    while (!M(src)->named_metadata_empty()) M(src)->eraseNamedMetadata(&*M(src)->named_metadata_begin());
    return !Linker::linkModules(*M(dst), std::unique_ptr<Module>(M(src)));
}
bool cfx_link_needed(LLVMModuleRef dst, LLVMModuleRef src) {
    return !Linker::linkModules(*M(dst), std::unique_ptr<Module>(M(src)), Linker::Flags::LinkOnlyNeeded);
}
namespace {
struct Managers {
    PassBuilder Builder;
    LoopAnalysisManager L;
    FunctionAnalysisManager F;
    CGSCCAnalysisManager C;
    ModuleAnalysisManager M;
    Managers() {
        F.registerPass([this] { return Builder.buildDefaultAAPipeline(); });
        Builder.registerModuleAnalyses(M);
        Builder.registerCGSCCAnalyses(C);
        Builder.registerFunctionAnalyses(F);
        Builder.registerLoopAnalyses(L);
        Builder.crossRegisterProxies(L, F, C, M);
    }
    ~Managers() {
        M.clear();
        C.clear();
        F.clear();
        L.clear();
    }
};
} // namespace
bool cfx_run_on_function(LLVMValueRef f, const char *passes) {
    Managers A;
    FunctionPassManager P;
    if (auto E = A.Builder.parsePassPipeline(P, passes)) {
        consumeError(std::move(E));
        return false;
    }
    P.run(*V<Function>(f), A.F);
    return true;
}

// ---- analyses

struct cfx_analyses : Managers {};
cfx_analyses *cfx_analyses_new(LLVMModuleRef) { return new cfx_analyses; }
void cfx_analyses_free(cfx_analyses *a) { delete a; }
void cfx_forget(cfx_analyses *a, LLVMValueRef f) { a->F.clear(*V<Function>(f), V(f)->getName()); }

static MemoryLocation location(LLVMValueRef p, int64_t n) {
    return MemoryLocation(V(p), n < 0 ? LocationSize::beforeOrAfterPointer()
                                      : LocationSize::precise(static_cast<uint64_t>(n)));
}
static AAResults &alias_of(cfx_analyses *a, LLVMValueRef f) {
    return a->F.getResult<AAManager>(*V<Function>(f));
}
cfx_alias_result cfx_alias(cfx_analyses *a, LLVMValueRef f, LLVMValueRef p, int64_t np, LLVMValueRef q,
                           int64_t nq) {
    switch (alias_of(a, f).alias(location(p, np), location(q, nq))) {
    case AliasResult::NoAlias: return CFX_NO_ALIAS;
    case AliasResult::PartialAlias: return CFX_PARTIAL_ALIAS;
    case AliasResult::MustAlias: return CFX_MUST_ALIAS;
    default: return CFX_MAY_ALIAS;
    }
}
int cfx_modref(cfx_analyses *a, LLVMValueRef f, LLVMValueRef i, LLVMValueRef p, int64_t n) {
    ModRefInfo R = alias_of(a, f).getModRefInfo(V<Instruction>(i), location(p, n));
    return (isRefSet(R) ? 1 : 0) | (isModSet(R) ? 2 : 0);
}
// SCEV gives up on `for (i = s; i <= n; i += c) g();` because g may end the program, so that overflow of i, which is
// undefined, need not happen. How often the loop goes round before it is left by this exit is known all the same.
static const SCEV *count_without_wrap(ScalarEvolution &SE, DominatorTree &DT, const Loop *L,
                                      BasicBlock *Exiting) {
    auto *Br = dyn_cast<BranchInst>(Exiting->getTerminator());
    auto *Cmp = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition()) : nullptr;
    if (!Cmp || !DT.dominates(Exiting, L->getLoopLatch())) return nullptr;
    auto Pred = L->contains(Br->getSuccessor(0)) ? Cmp->getPredicate() : Cmp->getInversePredicate();
    Value *X = Cmp->getOperand(0), *N = Cmp->getOperand(1);
    if (L->isLoopInvariant(X)) std::swap(X, N), Pred = ICmpInst::getSwappedPredicate(Pred);
    if (!L->isLoopInvariant(N) || !ICmpInst::isRelational(Pred) || !SE.isSCEVable(N->getType()))
        return nullptr;
    bool Signed = ICmpInst::isSigned(Pred), Up = ICmpInst::isLT(Pred) || ICmpInst::isLE(Pred);
    auto *Phi = dyn_cast<PHINode>(X);
    auto *Next = Phi ? nullptr : dyn_cast<BinaryOperator>(X);
    if (Next) Phi = dyn_cast<PHINode>(Next->getOperand(0));
    if (!Phi || Phi->getParent() != L->getHeader() || !Phi->getType()->isIntegerTy()) return nullptr;
    auto *Step = dyn_cast<BinaryOperator>(Phi->getIncomingValueForBlock(L->getLoopLatch()));
    if (!Step || Step->getOperand(0) != Phi || (Next && Next != Step)) return nullptr;
    bool Sub = Step->getOpcode() == Instruction::Sub;
    auto *By =
        Sub || Step->getOpcode() == Instruction::Add ? dyn_cast<ConstantInt>(Step->getOperand(1)) : nullptr;
    unsigned Bits = Phi->getType()->getIntegerBitWidth();
    if (!By || By->isZero() || Bits > 64 || By->getValue().isMinSignedValue()) return nullptr;
    int64_t Change = Sub ? -By->getSExtValue() : By->getSExtValue();
    if ((Change > 0) != Up) return nullptr;
    if (!(Signed ? Step->hasNoSignedWrap() : Up && !Sub && Step->hasNoUnsignedWrap())) return nullptr;

    Type *Wide = Type::getInt64Ty(Phi->getContext());
    auto Extend = [&](Value *V) {
        const SCEV *S = SE.getSCEV(V);
        return Signed ? SE.getNoopOrSignExtend(S, Wide) : SE.getNoopOrZeroExtend(S, Wide);
    };
    const SCEV *Start = Extend(Phi->getIncomingValueForBlock(L->getLoopPreheader())), *End = Extend(N);
    uint64_t C = Up ? static_cast<uint64_t>(Change) : -static_cast<uint64_t>(Change);
    if (Next) Start = SE.getAddExpr(Start, SE.getConstant(Wide, static_cast<uint64_t>(Change), true));
    if (ICmpInst::isNonStrictPredicate(Pred)) { // compare with the neighbour of the start, which must exist
        bool AtEdge = !Signed ? SE.getUnsignedRangeMin(Start).isZero()
                      : Up    ? SE.getSignedRangeMin(Start).isMinSignedValue()
                              : SE.getSignedRangeMax(Start).isMaxSignedValue();
        if (AtEdge && Bits == 64) return nullptr;
        Start = SE.getAddExpr(Start, SE.getConstant(Wide, Up ? -1ull : 1ull));
    }
    // Narrow unsigned numbers are not negative in i64, and their neighbours may be -1.
    bool SignedMax = Signed || Bits < 64;
    const SCEV *Way =
        Up ? SE.getMinusSCEV(SignedMax ? SE.getSMaxExpr(End, Start) : SE.getUMaxExpr(End, Start), Start)
           : SE.getMinusSCEV(Start, SE.getSMinExpr(End, Start));
    return SE.getUDivExpr(SE.getAddExpr(Way, SE.getConstant(Wide, C - 1)), SE.getConstant(Wide, C));
}
LLVMValueRef cfx_trip_count(cfx_analyses *a, LLVMBasicBlockRef header, LLVMBasicBlockRef exiting,
                            LLVMValueRef before) {
    Function &F = *BB(header)->getParent();
    LoopInfo &Loops = a->F.getResult<LoopAnalysis>(F);
    Loop *L = Loops.getLoopFor(BB(header));
    if (!L || !L->isLoopSimplifyForm() || Loops.getLoopFor(BB(exiting)) != L) return nullptr;
    auto &SE = a->F.getResult<ScalarEvolutionAnalysis>(F);
    const SCEV *Count = SE.getExitCount(L, BB(exiting));
    if (isa<SCEVCouldNotCompute>(Count))
        Count = count_without_wrap(SE, a->F.getResult<DominatorTreeAnalysis>(F), L, BB(exiting));
    if (!Count) return nullptr;
#if LLVM_VERSION_MAJOR >= 22
    SCEVExpander X(SE, "trips");
#else
    SCEVExpander X(SE, F.getParent()->getDataLayout(), "trips");
#endif
    auto *I = V<Instruction>(before);
    if (!X.isSafeToExpandAt(Count, I)) return nullptr;
    return W(X.expandCodeFor(Count, Count->getType(), I->getIterator()));
}
LLVMValueRef cfx_underlying(LLVMValueRef p) { return W(getUnderlyingObject(V(p))); }

// ---- debug information

LLVMMetadataRef cfx_debug_variable(LLVMValueRef pointer, unsigned k, bool *address) {
    Value *P = V(pointer);
    if (isa<Constant>(P)) return nullptr;
    auto Usable = [&](DbgVariableRecord *R) {
        return R->getNumVariableLocationOps() == 1 && !R->getExpression()->getNumElements() && !k--;
    };
    for (DbgVariableRecord *R : findDVRDeclares(P))
        if (Usable(R)) return *address = true, reinterpret_cast<LLVMMetadataRef>(R->getVariable());
    SmallVector<DbgVariableRecord *, 4> Records;
#if LLVM_VERSION_MAJOR >= 22
    findDbgValues(P, Records);
#else
    SmallVector<DbgValueInst *, 4> Old;
    findDbgValues(Old, P, &Records);
#endif
    for (DbgVariableRecord *R : Records)
        if (Usable(R)) return *address = false, reinterpret_cast<LLVMMetadataRef>(R->getVariable());
    return nullptr;
}

LLVMValueRef cfx_record_address(void *record) {
    auto *R = dyn_cast<DbgVariableRecord>(static_cast<DbgRecord *>(record));
    return R && R->isDbgAssign() ? W(R->getAddress()) : nullptr;
}

// ---- code

void cfx_use_init_array(LLVMTargetMachineRef machine) {
    reinterpret_cast<TargetMachine *>(machine)->Options.UseInitArray = true;
}

// ---- JIT

bool cfx_lljit_initialize(void *lljit, void *dylib) {
    Error E = static_cast<orc::LLJIT *>(lljit)->initialize(*static_cast<orc::JITDylib *>(dylib));
    bool ok = !E;
    consumeError(std::move(E));
    return ok;
}
bool cfx_lljit_add_archive(void *lljit, void *dylib, const char *path) {
    auto &Layer = static_cast<orc::LLJIT *>(lljit)->getObjLinkingLayer();
    auto Members = orc::StaticLibraryDefinitionGenerator::Load(Layer, path);
    if (!Members) {
        consumeError(Members.takeError());
        return false;
    }
    static_cast<orc::JITDylib *>(dylib)->addGenerator(std::move(*Members));
    return true;
}
