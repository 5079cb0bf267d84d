# Run as a script: writes the bytes of file IN to the C file OUT as the array NAME and its size NAME_size.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUT}
"#include \"llvm/embed.h\"
/* Bitcode files are read as words: keep them aligned. */
_Alignas(16) const unsigned char ${NAME}[] = {
${bytes}};
const size_t ${NAME}_size = sizeof ${NAME};
")
