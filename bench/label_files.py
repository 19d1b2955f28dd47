#!/usr/bin/env python3
"""Writes labels of real and generated data as raw .u32 files, for bench/model_generality.sh.

usage: label_files.py FOLDER WORD_LIST FILE
  words.u32   the first three letters of each word of a list (Debian: /usr/share/dict/words)
  rmat.u32    the heads of 2^20 edges of an R-MAT graph of 2^18 vertices, quadrants .57 .19 .19 .05
  bytes.u32   the bytes of a file
  halves.u32  its 16-bit words
"""
import array
import os
import random
import sys

SCALE = 18
EDGES = 1 << 20
HEAD_IN_RIGHT_HALF = 0.24  # .19 + .05


def three_letters(word):
    code = 0
    for i in range(3):
        letter = ord(word[i]) - ord('a') + 1 if i < len(word) else 0
        code = 27 * code + (letter if 0 <= letter <= 26 else 0)
    return code


def rmat_heads():
    draw = random.Random(1).random
    for _ in range(EDGES):
        vertex = 0
        for _ in range(SCALE):
            vertex = 2 * vertex + (draw() < HEAD_IN_RIGHT_HALF)
        yield vertex


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    folder, word_list, path = sys.argv[1:]
    with open(word_list, encoding='utf8') as file:
        words = [line.strip().lower() for line in file]
    with open(path, 'rb') as file:
        data = file.read()
    halves = array.array('H')
    halves.frombytes(data[:len(data) // 2 * 2])
    labels = {'words': map(three_letters, words), 'rmat': rmat_heads(), 'bytes': iter(data), 'halves': halves}
    for name, values in labels.items():
        with open(os.path.join(folder, name + '.u32'), 'wb') as file:
            array.array('I', values).tofile(file)


if __name__ == '__main__':
    main()
