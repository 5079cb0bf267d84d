set print entry-values no
break mean_grad
break mean_tan
break power_grad
break power_tan
break sum_grad
run
printf "= {%g, %g} {%g, %g}\n", x[0], x[1], x_bar[0], x_bar[1]
whatis x_bar
continue
backtrace 5
continue
printf "= %g %g\n", *base_bar, *exponent_bar
whatis exponent_bar
continue
backtrace 5
continue
backtrace 5
printf "= %g %g\n", p->second, p_bar->second
