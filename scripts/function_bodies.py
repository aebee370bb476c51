"""Where the bodies of functions lie in a C++ source that clang-format has laid out. No compiler is
asked: a brace at namespace or class scope opens a body when a parameter list stands before it. Good
for this kernel's sources, not for any C++."""

import re

TYPE_OR_NAMESPACE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
NOT_OF_THE_HEAD = re.compile(r"\[\[.*?\]\]|\balignas\([^)]*\)|\btemplate\s*<[^{]*?>\s|\s+$|^\s+")
MEMBER_INITIALISER = re.compile(r"\)\s*(noexcept\s*)?:[^:].*\w$", re.DOTALL)


def end_of_literal(text, start):
    at = start + 1
    while text[at] != text[start]:
        at += 2 if text[at] == "\\" else 1
    return at + 1


def end_of_directive(text, start):
    end = text.find("\n", start)
    while end > 0 and text[end - 1] == "\\":
        end = text.find("\n", end + 1)
    return len(text) if end < 0 else end


def end_of_noise(text, at):
    """Where a comment, literal or directive that begins at `at` ends; `at` when none does."""
    if text.startswith("//", at):
        return (text + "\n").find("\n", at)
    if text.startswith("/*", at):
        return text.index("*/", at) + 2
    if text[at] == '"' or (text[at] == "'" and not text[at - 1].isalnum()):
        return end_of_literal(text, at)
    if text[at] == "#" and not text[text.rfind("\n", 0, at) + 1:at].strip():
        return end_of_directive(text, at)
    return at


def code_of(text):
    """The text, as long as it was, with blanks for comments, literals and directives."""
    out, at = [], 0
    while at < len(text):
        end = end_of_noise(text, at)
        out.append(re.sub(r"[^\n]", " ", text[at:end]) if end > at else text[at])
        at = max(end, at + 1)
    return "".join(out)


def closing(code, at):
    """Behind the brace that closes the one at `at`."""
    depth = 0
    for found in re.finditer(r"[{}]", code[at:]):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return at + found.end()
    raise ValueError("a brace is not closed")


def bodies(text):
    """Begin and end of each body that lies in no other, braces included, in order."""
    code = code_of(text)
    found, begin, at = [], 0, 0
    while at < len(code):
        if code[at] in ";}":
            begin = at + 1
        if code[at] != "{":
            at += 1
            continue
        head = NOT_OF_THE_HEAD.sub("", code[begin:at])
        kind = TYPE_OR_NAMESPACE.search(head)
        if (kind and kind[1] != "enum" and "(" not in head) or head == "":
            begin = at = at + 1
            continue
        end = closing(code, at)
        has_parameters = ")" in head and head.count("(") == head.count(")")
        if has_parameters and not MEMBER_INITIALISER.search(head):
            found.append((at, end))
            begin = end
        at = end
    return found


def outside(text):
    """The pieces of a source that are in no body."""
    ends = [0] + [end for _, end in bodies(text)]
    begins = [begin for begin, _ in bodies(text)] + [len(text)]
    return [text[end:begin] for end, begin in zip(ends, begins)]
