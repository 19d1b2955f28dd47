#!/usr/bin/env python3
"""Acts on a report page in a browser without a window, and compares what it shows with what its data say.

What is done: the chart's scales, the values under the pointer and by arrow keys, another group, linear
time; the table's order and filters; no part wider than a narrow screen; no error of the script. What must come out is computed here from the page's data
and table, without the page's script.

usage: page_script_test.py PRESORT SOURCE_DIR     exit status 77: there is no Chromium
"""

import html
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

# Collects errors; put in front of everything
LISTEN = """<script>
window.found = { errors: [], charts: 0 };
addEventListener("error", (event) => found.errors.push(String(event.message)));
</script>"""

# Keeps the last chart that was made; put between the chart library and the page's script
WATCH = """<script>
{ const Made = uPlot;
  uPlot = function (...all) { found.charts += 1; window.chart = new Made(...all); return window.chart; }; }
</script>"""

# The steps that a reader would take, one after the other; put behind everything
ACT = """<pre id="found"></pre><script>
(async () => {
  const wait = () => new Promise((then) => setTimeout(then, 60));
  const shown = () => [...document.querySelectorAll("section.group")].filter((one) => !one.hidden);
  const readout = () => shown()[0].querySelector(".readout").textContent;
  const scales = () => ({ x: [chart.scales.x.min, chart.scales.x.max], y: [chart.scales.y.min, chart.scales.y.max],
                          distribution: chart.scales.y.distr });
  const group = () => shown()[0].dataset.group;
  found.width = innerWidth;
  found.wide = document.documentElement.scrollWidth;
  found.sections = document.querySelectorAll("section.group").length;
  found.group = group();
  found.shown = shown().length;
  found.still = getComputedStyle(shown()[0].querySelector("figure.times .static")).display;
  await wait();  // a chart sets its scales after the script that makes it
  found.logarithmic = scales();
  found.first = readout();
  const key = (name) => shown()[0].querySelector(".plot").dispatchEvent(
    new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  found.keys = [];
  for (const name of ["ArrowRight", "ArrowRight", "ArrowLeft", "Home"]) { key(name); found.keys.push(readout()); }
  found.hover = {};
  const over = shown()[0].querySelector(".u-over");
  const rows = JSON.parse(document.getElementById("presort-data").textContent).groups
    .find((one) => one.id === group()).rows;
  for (const row of rows) {
    over.scrollIntoView();
    const place = over.getBoundingClientRect();
    const [low, high] = found.logarithmic.x;
    const part = Math.log(row.m / low) / Math.log(high / low);
    const at = { clientX: place.left + place.width * part, clientY: place.top + place.height / 2, bubbles: true };
    over.dispatchEvent(new MouseEvent("mouseenter", at));
    over.dispatchEvent(new MouseEvent("mousemove", at));
    await wait();
    found.hover[row.m] = readout();
  }
  const tick = document.querySelector("label.tick input");
  tick.click();
  await wait();
  found.linear = scales();
  tick.click();
  await wait();
  found.again = scales();
  found.chosen = [];
  for (const select of document.querySelectorAll("#pictures form select")) {
    for (const option of [...select.options]) {
      select.value = option.value;
      select.dispatchEvent(new Event("change"));
      found.chosen.push([select.parentElement.firstChild.textContent, option.value, group(), shown().length]);
    }
  }
  const table = document.querySelector("table.points");
  const order = () => [...table.tBodies[0].rows].map((row) => row.dataset.row);
  const visible = () => [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.dataset.row);
  [...table.tBodies[0].rows].forEach((row, index) => { row.dataset.row = index; });
  found.sorted = [...table.tHead.rows[0].cells].map((head) => {
    const button = head.querySelector("button");
    button.click();
    const up = [order(), head.getAttribute("aria-sort")];
    button.click();
    const marked = table.tHead.querySelectorAll("[aria-sort]").length;
    return { up, down: [order(), head.getAttribute("aria-sort")], marked };
  });
  const form = [...document.querySelectorAll("#points form.choose")][0];
  const status = form.querySelector("[role=status]");
  found.filtered = [];
  for (const select of form.querySelectorAll("select")) {
    for (const option of [...select.options]) {
      select.value = option.value;
      select.dispatchEvent(new Event("change"));
      found.filtered.push([select.parentElement.firstChild.textContent, option.textContent, visible(), status.textContent]);
    }
    select.value = "";
    select.dispatchEvent(new Event("change"));
  }
  const words = form.querySelector("input[type=search]");
  found.searched = [];
  for (const text of WORDS) {
    words.value = text;
    words.dispatchEvent(new Event("input"));
    found.searched.push([text, visible(), status.textContent]);
  }
  document.getElementById("found").textContent = JSON.stringify(found);
})();
</script>"""

WORDS = ["", "zipf", "ZIPF scatter", "no such word", "<b>"]


class Table(HTMLParser):
    """The texts and data-v of the cells of the table of points, and the names of its columns."""

    def __init__(self):
        super().__init__()
        self.inside = self.cell = False
        self.heads, self.rows = [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.inside = self.inside or (tag == "table" and "points" in (given.get("class") or ""))
        if self.inside and tag == "tr":
            self.rows.append([])
        if self.inside and tag in ("td", "th"):
            self.cell = True
            self.rows[-1].append({"text": "", "v": given.get("data-v")})

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "table"
        self.cell = self.cell and tag not in ("td", "th")

    def handle_data(self, text):
        if self.cell:
            self.rows[-1][-1]["text"] += text


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def same(found, wanted, what):
    check(found == wanted, f"{what}: found {found!r}, wanted {wanted!r}")


def count(m):
    bits = math.log2(m)
    return f"2^{int(bits)}" if bits.is_integer() and m > 512 else str(m)


def ns(time):
    return f"{time:.0f}" if time >= 99.95 else f"{time:#.3g}".rstrip(".")


def said(row):
    """What the page says of one number of buckets."""
    gain, parts = "", []
    if row["d"] and row["t"]:
        gain = f": {row['d']['measured'] / row['t']['measured']:.2f} times as fast"
    for name, one in (("direct", row["d"]), ("tuned", row["t"])):
        if one:
            text = f"{name} {ns(one['measured'])} ns measured"
            if "predicted" in one:
                text += f", {ns(one['predicted'])} predicted"
            if "high" in one:
                text += f" ({ns(one['low'])} to {ns(one['high'])})"
            parts.append(f"{text}, {one['plan']}")
    return f"m = {count(row['m'])}{gain}. {'; '.join(parts)}."


def check_chart(found, groups):
    group = groups[found["group"]]
    rows = group["rows"]
    same(found["shown"], 1, "groups shown")
    same(found["sections"], len(groups), "groups on the page")
    same(found["still"], "none", "the picture without the script")
    for which in ("logarithmic", "again"):
        low, high = found[which]["x"]
        check(abs(low * 1.5 / rows[0]["m"] - 1) < 1e-9 and abs(high / 1.5 / rows[-1]["m"] - 1) < 1e-9,
              f"scale of m: {low} to {high}")
    times = [one[key] for row in rows for one in (row["d"], row["t"]) if one
             for key in ("measured", "predicted", "low", "high") if key in one]
    for which, distribution in (("logarithmic", 3), ("linear", 1), ("again", 3)):
        low, high = found[which]["y"]
        same(found[which]["distribution"], distribution, f"{which} time")
        check(low <= min(times) and max(times) <= high, f"{which}: {min(times)} to {max(times)} in {low} to {high}")
    same(found["linear"]["y"][0], 0, "linear time begins")
    most = [row["m"] for row in rows].index(group["most"]) if group["most"] else 0
    same(found["first"], said(rows[most]), "read at first")
    at = most
    for name, text in zip(("right", "right", "left", "no arrow"), found["keys"]):
        at = min(len(rows) - 1, max(0, at + {"right": 1, "left": -1}.get(name, 0)))
        same(text, said(rows[at]), f"read after the key: {name}")
    for row in rows:
        same(found["hover"][str(row["m"])], said(row), f"under the pointer at {row['m']}")


def check_chooser(found, groups):
    names = {"machine": "machine", "operation": "operation", "labels": "labels", "types": "types", "inputs n": "n"}
    check(found["chosen"], "no group can be chosen")
    for name, value, group, shown in found["chosen"]:
        same(str(groups[group][names[name]]), value, f"{name} of the group shown")
        same(shown, 1, "groups shown")


def check_table(found, heads, rows):
    total = len(rows)
    for column, result in enumerate(found["sorted"]):
        numbers = all(row[column]["v"] is not None for row in rows)
        for which, falls, mark in (("up", False, "ascending"), ("down", True, "descending")):
            order, marked = result[which]
            same(sorted(map(int, order)), list(range(total)), f"{heads[column]}: rows")
            same(marked, mark, f"{heads[column]}: mark")
            if numbers:
                values = [float(rows[int(index)][column]["v"]) for index in order]
                same(values, sorted(values, reverse=falls), f"{heads[column]} {mark}")
        same(result["marked"], 1, "columns marked as sorted")
    check(any(all(row[column]["v"] is not None for row in rows) for column in range(len(heads))), "no column of numbers")
    for name, value, visible, status in found["filtered"]:
        column = heads.index(name)
        wanted = {index for index, row in enumerate(rows)
                  if value == "all" or (row[column]["text"] or "(none)") == value}
        same(set(map(int, visible)), wanted, f"rows with {name} {value}")
        same(status, f"{len(wanted)} of {total} points", f"words for {name} {value}")
    check(found["filtered"], "no filter")
    for words, visible, _ in found["searched"]:
        wanted = {index for index, row in enumerate(rows)
                  if all(word in "".join(cell["text"] for cell in row).lower() for word in words.lower().split())}
        same(set(map(int, visible)), wanted, f"rows with the words '{words}'")
    check(0 < len(found["searched"][2][1]) < len(found["searched"][1][1]) < total, "words that tell rows apart")


def act(chromium, page, work, width):
    acting = (page.replace("<body>", "<body>" + LISTEN, 1)
              .replace("<script>\n// Makes a report page", WATCH + "<script>\n// Makes a report page", 1)
              .replace("</body>", ACT.replace("WORDS", json.dumps(WORDS)) + "</body>"))
    check(acting.count("window.found = {") == 1 and acting.count("const Made") == 1, "the page has no such places")
    file = work / "acting.html"
    file.write_text(acting)
    # Measures a narrow screen through a frame: the window itself is never narrower than 500 pixels.
    frame = work / "frame.html"
    frame.write_text(f'<iframe src="acting.html" width={width} height=900 style="border:0"></iframe><pre id=out></pre>'
                     "<script>addEventListener('load', function look() { const from = document.querySelector('iframe')"
                     ".contentDocument.getElementById('found').textContent;"
                     "if (from) document.getElementById('out').textContent = from; else setTimeout(look, 50); });</script>")
    done = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--allow-file-access-from-files", f"--user-data-dir={work / 'profile'}", "--window-size=1300,1000",
         "--virtual-time-budget=60000", "--dump-dom", frame.as_uri()],
        capture_output=True, text=True, timeout=120, check=False)
    text = re.search(r'<pre id="out">(.*?)</pre>', done.stdout, re.DOTALL)
    check(text and text[1], f"the page did not do what was asked: {done.stderr[-500:]}")
    return json.loads(html.unescape(text[1]))


def main():
    presort, source = sys.argv[1:]
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("page_script: SKIPPED: there is no Chromium (apt install chromium)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        subprocess.run([presort, "report", Path(source) / "docs/results/sweeps/golden-cove-vm.jsonl.gz",
                        "-o", work / "page.html"], check=True, stdout=subprocess.DEVNULL)
        page = (work / "page.html").read_text()
        data = re.search(r'id="presort-data">(.*?)</script>', page, re.DOTALL)
        groups = {group["id"]: group for group in json.loads(data[1])["groups"]}
        table = Table()
        table.feed(page)
        heads, rows = [cell["text"] for cell in table.rows[0]], table.rows[1:]
        for width in (1200, 400):
            found = act(chromium, page, work, width)
            same(found["errors"], [], "errors of the script")
            check(abs(found["width"] - width) < 20, f"width {found['width']}")
            check(found["wide"] <= found["width"], f"on {width} pixels the page is {found['wide']} wide")
            check_chart(found, groups)
            check_chooser(found, groups)
            check_table(found, heads, rows)
    print(f"{len(groups)} groups, {len(rows)} points: the page shows what its data say")


if __name__ == "__main__":
    main()
