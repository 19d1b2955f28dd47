#!/usr/bin/env python3
"""Writes labels of real and generated data as raw .u32 files, for bench/accuracy/model_generality.sh.

usage: label_files.py FOLDER WORD_LIST FILE SOURCES
  words.u32   the first three letters of each word of a list (Debian: /usr/share/dict/words)
  bytes.u32   the bytes of a file
  halves.u32  its 16-bit words
  text.u32    the names in all *.h below a folder, as they stand in them, numbered as they come
  rmat.u32    the heads of 2^20 edges of an R-MAT graph of 2^18 vertices, quadrants .57 .19 .19 .05
  lists.u32   the same, list by list: the edges in the order of their tails
  zipf.u32    2^22 labels of zipf:1.1 among 2^22
  mixed.u32   2^22 labels below 2^22: half of them among a thousand, half among all
  drift.u32   2^22 labels below 2^21: about 20,000 behind a front that moves through all
"""
import array
import bisect
import glob
import itertools
import os
import random
import re
import sys

SCALE = 18
EDGES = 1 << 20
COUNT = 1 << 22
NAMES = 4000000


def three_letters(word):
    code = 0
    for i in range(3):
        letter = ord(word[i]) - ord('a') + 1 if i < len(word) else 0
        code = 27 * code + (letter if 0 <= letter <= 26 else 0)
    return code


def rmat_edges():
    draw = random.Random(1).random
    for _ in range(EDGES):
        tail = head = 0
        for _ in range(SCALE):
            quadrant = bisect.bisect((.57, .76, .95), draw())
            tail, head = 2 * tail + quadrant // 2, 2 * head + quadrant % 2
        yield tail, head


def names(folder):
    numbers = {}
    found = itertools.chain.from_iterable(
        re.findall(r'[A-Za-z_]\w*', open(path, errors='ignore').read())
        for path in sorted(glob.glob(os.path.join(folder, '**', '*.h'), recursive=True)))
    return [numbers.setdefault(name, len(numbers)) for name in itertools.islice(found, NAMES)]


def zipf(buckets):
    draws = random.Random(2)
    sums = list(itertools.accumulate(rank ** -1.1 for rank in range(1, buckets + 1)))
    places = list(range(buckets))
    draws.shuffle(places)
    return (places[bisect.bisect_left(sums, draws.random() * sums[-1])] for _ in range(COUNT))


def mixed(buckets):
    draws = random.Random(3)
    few = draws.sample(range(buckets), 1000)
    return (draws.choice(few) if draws.random() < .5 else draws.randrange(buckets) for _ in range(COUNT))


def drift(buckets):
    draws = random.Random(4)
    return (max(0, i * (buckets - 1) // COUNT - int(draws.expovariate(1 / 20000))) for i in range(COUNT))


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    folder, word_list, path, sources = sys.argv[1:]
    with open(word_list, encoding='utf8') as file:
        words = [line.strip().lower() for line in file]
    with open(path, 'rb') as file:
        data = file.read()
    halves = array.array('H')
    halves.frombytes(data[:len(data) // 2 * 2])
    edges = list(rmat_edges())
    labels = {
        'words': map(three_letters, words), 'bytes': iter(data), 'halves': halves, 'text': names(sources),
        'rmat': [head for _, head in edges], 'lists': [head for _, head in sorted(edges, key=lambda e: e[0])],
        'zipf': zipf(1 << 22), 'mixed': mixed(1 << 22), 'drift': drift(1 << 21)
    }
    for name, values in labels.items():
        with open(os.path.join(folder, name + '.u32'), 'wb') as file:
            array.array('I', values).tofile(file)


if __name__ == '__main__':
    main()
