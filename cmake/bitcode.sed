# What binds bitcode to the options it was compiled with: target CPU, code model, frame and unwinding flags, and
# memory effects, which are inferred again where the function is used. (An attribute group may not be empty.)
/^!llvm\.(module\.flags|ident|errno\.tbaa) /d
/^attributes #/{
s/ "(target-cpu|target-features|tune-cpu|min-legal-vector-width|stack-protector-buffer-size|frame-pointer|no-trapping-math|approx-func-fp-math|no-infs-fp-math|no-nans-fp-math|no-signed-zeros-fp-math|unsafe-fp-math|less-precise-fpmad|no-jump-tables)"="[^"]*"//g
s/ uwtable(\([a-z]*\))?//g
s/ (optnone|ssp|sspstrong|sspreq)( |$)/\2/g
s/ memory\([^)]*\)//g
s/= \{ +\}/= { "cofactor" }/
}
