# usage: docs.py DOCUMENT COFACTOR INCLUDE FOLDER
# Does what a page shows: writes each C program that stands under a line naming a file (`prog.c`) into the folder, runs each
# `$ cofactor …` line, and compares what it prints with the lines below. `…` stands for any lines, or for any rest of a word.
import os
import re
import subprocess
import sys

document, cofactor, include, folder = sys.argv[1:]
text = open(document).read()
os.makedirs(folder, exist_ok=True)
os.chdir(folder)

for name, program in re.findall(r"`([\w-]+\.c)`(?: is)?:\n\n```c\n(.*?)```", text, re.S):
    open(name, "w").write(program)


def matches(shown, printed):
    pattern = "".join(".*?" if part == "…" else re.escape(part) for part in re.split("(…)", shown))
    return re.fullmatch(pattern, printed, re.S)


wrong = ran = 0
for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.M):
    block = re.sub(r"^    ", "", block, flags=re.M)
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
        if not re.search(r"\bcofactor (run|in) ", command):
            continue
        line = re.sub(r"\bcofactor (run|in) ", rf"{cofactor} \1 -I{include} ", command)
        done = subprocess.run(line, shell=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        printed = done.stdout + done.stderr
        ran += 1
        if not matches(shown.strip("\n"), printed.strip("\n")):
            wrong += 1
            print(f"$ {command}\n--- shown\n{shown}\n--- printed\n{printed}")
print(f"{wrong} of {ran} wrong")
sys.exit(wrong != 0 or ran == 0)
