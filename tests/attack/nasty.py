"""Values that have broken readers before: numbers, units, names, paths, bytes."""

from __future__ import annotations

from world import CANARY

NUMBERS = [
    "0", "1", "2", "3", "7", "-1", "-0", "+5", "1.5", "0.5", "1e-9", "1e300", "1e308", "1e309",
    "1e-308", "1e-320", "1e19", "2^-1", "2^0", "2^26", "2^31", "2^40", "2^62", "2^63", "2^64",
    "2^64-1", "100", "1000", "65535", "65536", "1000000", "2147483647", "2147483648", "4294967295",
    "4294967296", "4294967297", "9223372036854775807", "9223372036854775808",
    "18446744073709551615", "18446744073709551616", "99999999999999999999", "1_000", "0x10", "010",
    "1e", "1e+3", "2^", "^2", "12345.678", "64Ki", "64Gi", "10M", "nan", "NaN", ".nan", "inf",
    ".inf", "-inf", "-nan", "infinity", "٣",
]  # fmt: skip

UNITS = ["", "%", "cy", "ns", "us", "ms", "s", "B", "KiB", "MiB", "GiB", "TiB", "B/s", "GB/s",
         "TB/s", "GiB/s", "Hz", "MHz", "GHz", "/s", "T/s", "k", "M", "Ki", "Gi"]  # fmt: skip

QUANTITIES = [
    "-1ns", "0ns", "1e308ns", "1e-300ns", "1e300cy", "0cy", "-1cy", "1s", "1000s", "0B", "1B", "3B",
    "32B", "63B", "1KiB", "4KiB", "1GiB", "16777215TiB", "16777216TiB", "1e300GB/s", "0GB/s",
    "1e-300B/s", "1B/s", "0Hz", "1Hz", "1e-300GHz", "1e300GHz", "1e99THz", "0%", "1%", "100%",
    "101%", "1e300%", "1e-300%",
]  # fmt: skip

# Hostile values: words that mean something to YAML, to JSON or to presort's own tables.
WORDS = [
    "", "~", "null", "true", "false", "yes", "no", "[]", "{}", "[1,2]", "{a: 1}", "'", '"', "lru",
    "random", "plru", "L9", "L1d", "STLB", "uniform", "zipf:1", "zipf:1e308", "zipf-contiguous:0",
    "clustered:0", "clustered:18446744073709551615", "degenerate", "file:/etc/passwd", "u64+f64",
    "u8+u8", "multiscan", "partialSort", "privateTables", "4KiB", "2MiB", "&a x", "*a", "!!int 1",
    "<<", "---", "...", "? x", "| x", "- -", "%YAML 9.9", "x.costs.yaml", "../../../../etc/passwd",
]  # fmt: skip

# Text that a shell, gnuplot or a browser would run if it ever became a part of a script.
INJECTIONS = [
    f"$(touch {CANARY}1)",
    f"`touch {CANARY}2`",
    f"'; touch {CANARY}3; '",
    f'"; touch {CANARY}4; "',
    f"'\nsystem \"touch {CANARY}5\"\n'",
    f"\nsystem('touch {CANARY}6')\n",
    f"\nset print '{CANARY}7'\nprint 1\nunset print\n",
    f"x\n!touch {CANARY}8\nx",
    f"EOD\nsystem 'touch {CANARY}9'\n$x << EOD",
    f"a'.system('touch {CANARY}10').'b",
    f"| touch {CANARY}11",
    "<script>alert(1)</script>",
    "]]></style><script>alert(1)</script>",
    '" onload="alert(1)',
]

# Hostile names, which reach a terminal, a document or a file system.
NAMES = [
    "\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "a\rb", "a\nb", "a\tb", "a\x08b", "a\x7fb", "a\x00b",
    "\x85next", "\x9b2J", "\u202egnp.exe", "\u2066x", "\u200bzero", "\ufeffbom", "\ufffe",
    "é" * 300, "a" * 5000, "a" * 100000, "", " ", ".", "..", "/", "-",
    "--help", "-o", "%s%n%x", "{}", "{0}",
    "{:1000000000}", "\\", "\\n", "#", "# x", "a: b", "CON", "💩", "\u0301" * 100,
]  # fmt: skip

# Byte strings to insert anywhere into a file.
BYTES = [
    b"\n", b"\r\n", b"\r", b"\0", b"\xc3\x28", b"\xff", b"\xed\xa0\x80", b"\xf0\x9f\x92\xa9", b"'",
    b'"', b"{", b"}", b"[", b"]", b": ", b"- ", b"#", b",", b"%", b"&a ", b"*a", b"!!x ", b"-",
    b"9" * 40, b"e999", b"\xef\xbb\xbf", b"a" * 5000, b"\t", b"\x1b[2J", b"\\", b"\\u0000",
]  # fmt: skip

# Byte strings to write over bytes of a file: extreme lengths and counts of binary formats.
WORDS_OF_BITS = [
    b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f", b"\x80\0\0\0",
    b"\xff" * 8, b"\0" * 8, b"\xff" * 7 + b"\x7f", b"\0" * 7 + b"\x80",
]  # fmt: skip

# Hostile values, one of which replaces a value in a JSON document.
JSON_VALUES: list[object] = [
    None, True, False, -1, 0, 1, 1.5, 1e308, -1e308, 1e-308, 5e-324, 2**31, 2**32, 2**53 + 1, 2**63,
    2**64 - 1, 2**64, -(2**63), 10**400, "", "nan", "2^26", [], {}, [0], [[]], [None], [1e308] * 8,
    [1e-308] * 8, [-1] * 8, [1, 2], ["a"] * 8, [1e308, 1e-308] * 4, "a" * 100000,
]  # fmt: skip


def yaml_quoted(text: str) -> str:
    """The text as a YAML scalar in double quotes; what is not plain becomes an escape."""
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e", '"': '\\"', "\\": "\\\\",
             "\0": "\\0", "\x07": "\\a", "\x08": "\\b"}  # fmt: skip
    parts = []
    for char in text:
        if char in short:
            parts.append(short[char])
        elif ord(char) < 32 or 0x7F <= ord(char) < 0xA0:
            parts.append(f"\\x{ord(char):02x}")
        else:
            parts.append(char)
    return '"' + "".join(parts) + '"'
