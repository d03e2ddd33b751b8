"""Cuts Latin Modern Math down to what the formulas show.

usage: subset.py SOURCE.otf math.json math.woff2

Latin Modern Math is under the GUST Font License, an instance of the LaTeX
Project Public License: a changed font must not keep the name, so the subset is
called "mcsim Math". Its copyright and the licence stay in its name table.
"""

import json
import os
import re
import sys
from html import unescape

from fontTools import subset
from fontTools.ttLib import TTFont

NAME = "mcsim Math"
CHANGE = "A subset of Latin Modern Math 1.959, renamed as the GUST Font License asks."

# Letters, digits and the common signs are always there, so that a small change
# of a formula leaves the font alone.
ALWAYS = set(range(0x20, 0x7F)) | {ord(c) for c in "·×±−⋅∑∏∫√∞≤≥≈≠∼→∈∣′…⋯∂"} \
    | set(range(0x3B1, 0x3CA)) | {ord(c) for c in "ΓΔΘΛΠΣΦΨΩ"}


def italic(c):
    """The mathematical italic that a browser shows for a lone letter in <mi>."""
    n = ord(c)
    if c == "h":
        return 0x210E
    if "A" <= c <= "Z":
        return 0x1D434 + n - ord("A")
    if "a" <= c <= "z":
        return 0x1D44E + n - ord("a")
    if 0x391 <= n <= 0x3A9:
        return 0x1D6E2 + n - 0x391
    if 0x3B1 <= n <= 0x3C9:
        return 0x1D6FC + n - 0x3B1
    return n


def used(path):
    """The characters that MathML shows; the TeX beside it is not shown."""
    with open(path, encoding="utf-8") as f:
        sets = json.load(f)
    text = " ".join(m for kind in ("inline", "display") for m in sets[kind].values())
    text = re.sub(r"<annotation.*?</annotation>", "", text, flags=re.S)
    return {ord(c) for c in unescape(re.sub(r"<[^>]*>", "", text))}


def wanted(source, path):
    letters = ALWAYS | used(path)
    letters |= {italic(chr(c)) for c in letters}
    # Function application and its like are never drawn and have no glyph.
    return (letters - set(range(0x2061, 0x2065))) & (set(source.getBestCmap()) | used(path))


def rename(font):
    table = font["name"]
    for record in list(table.names):
        if record.nameID in (1, 4, 16):
            record.string = NAME
        elif record.nameID == 6:
            record.string = NAME.replace(" ", "")
        elif record.nameID == 10:
            table.names.remove(record)
    table.setName(CHANGE, 10, 3, 1, 0x409)
    top = font["CFF "].cff
    top.fontNames = [NAME.replace(" ", "")]
    top[0].FullName = top[0].FamilyName = NAME


def main(source, formulas, target):
    font = TTFont(source)
    letters = wanted(font, formulas)
    missing = sorted(letters - set(font.getBestCmap()))
    if missing:
        sys.exit("subset.py: the font lacks " + ", ".join(f"U+{c:04X}" for c in missing))
    if os.path.exists(target) and set(TTFont(target).getBestCmap()) == letters:
        return
    options = subset.Options()
    options.layout_features = []
    options.name_IDs = ["*"]
    options.hinting = False
    options.desubroutinize = True
    options.glyph_names = False
    options.drop_tables += ["GPOS", "GDEF", "GSUB", "FFTM"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    rename(font)
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    font.flavor = "woff2"
    font.save(target)
    print(f"{target}: {len(letters)} characters, {os.path.getsize(target)} bytes")


main(*sys.argv[1:])
