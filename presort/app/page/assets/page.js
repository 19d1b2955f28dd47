// Makes a report page interactive: choice of the group that is shown, values under the pointer,
// a table that sorts and filters. The page is complete without it. All texts go in as text, never
// as markup.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("presort-data").textContent);
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const make = (tag, text, parts = {}) => {
    const element = Object.assign(document.createElement(tag), parts);
    if (text) element.textContent = text;
    return element;
  };
  const count = (m) => Number.isInteger(Math.log2(m)) && m > 512 ? "2^" + Math.log2(m) : String(m);
  const ns = (t) => (t >= 99.95 ? t.toFixed(0) : t >= 0.01 ? t.toPrecision(3) : t.toPrecision(3));
  const groups = new Map(data.groups.map((group) => [group.id, group]));

  // ---- The chart of times ----
  let chart = null;
  let logarithmic = true;

  function times(row, which) {
    const one = row[which];
    if (!one) return "";
    const name = which === "d" ? "direct" : "tuned";
    let text = `${name} ${ns(one.measured)} ns measured`;
    if (one.predicted) text += `, ${ns(one.predicted)} predicted`;
    if (one.high) text += ` (${ns(one.low)} to ${ns(one.high)})`;
    return text + `, ${one.plan}`;
  }

  function say(group, index, readout) {
    const row = group.rows[index];
    if (!row) return;
    const gain = row.d && row.t ? `: ${(row.d.measured / row.t.measured).toFixed(2)} times as fast` : "";
    const parts = [times(row, "d"), times(row, "t")].filter((part) => part);
    readout.textContent = `m = ${count(row.m)}${gain}. ${parts.join("; ")}.`;
  }

  function column(group, which, key) {
    return group.rows.map((row) => (row[which] && row[which][key]) || null);
  }

  function draw(section) {
    if (chart) chart.destroy();
    chart = null;
    const group = groups.get(section.dataset.group);
    const figure = section.querySelector("figure.times");
    if (!group || !figure || group.rows.length < 2) return;
    const place = figure.querySelector(".plot");
    const readout = figure.querySelector(".readout");
    place.replaceChildren();
    const edge = style("--edge");
    const text = style("--text");
    const columns = [group.rows.map((row) => row.m)];
    const series = [{}];
    const bands = [];
    for (const [which, color, dash] of [["d", style("--direct"), [7, 4]], ["t", style("--tuned"), []]]) {
      const at = series.length;
      for (const key of ["low", "high"]) {
        columns.push(column(group, which, key));
        series.push({ stroke: "transparent", width: 0, points: { show: false }, spanGaps: true });
      }
      bands.push({ series: [at + 1, at], fill: color + "30" });
      columns.push(column(group, which, "predicted"));
      series.push({ stroke: color, width: 2, dash, points: { show: false }, spanGaps: true });
      columns.push(column(group, which, "measured"));
      series.push({ stroke: color, width: 0, paths: () => null,
                    points: { show: true, size: which === "d" ? 8 : 9, fill: color, stroke: style("--back") } });
    }
    const axis = { stroke: text, grid: { stroke: edge, width: 1 }, ticks: { stroke: edge, width: 1 } };
    const width = () => Math.max(260, place.clientWidth);
    const crossings = (u) => {
      for (const [m, dashed] of [[group.crossover.measured, false], [group.crossover.predicted, true]]) {
        if (!m) continue;
        const x = u.valToPos(m, "x", true);
        u.ctx.save();
        u.ctx.strokeStyle = dashed ? style("--soft") : text;
        u.ctx.lineWidth = 1.5 * devicePixelRatio;
        u.ctx.setLineDash(dashed ? [5 * devicePixelRatio, 5 * devicePixelRatio] : []);
        u.ctx.beginPath();
        u.ctx.moveTo(x, u.bbox.top);
        u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
        u.ctx.stroke();
        u.ctx.restore();
      }
    };
    const first = group.rows[0].m;
    const last = group.rows[group.rows.length - 1].m;
    chart = new uPlot({
      width: width(), height: Math.min(420, Math.max(280, width() * 0.5)),
      legend: { show: false },
      scales: { x: { time: false, distr: 3, log: 2, range: [first / 1.5, last * 1.5] },
                y: logarithmic ? { distr: 3, log: 10 } : { range: (u, low, high) => [0, high * 1.05] } },
      axes: [
        { ...axis, label: "buckets m",
          splits: () => {
            // About one label in 60 pixels.
            const step = Math.max(1, Math.ceil((Math.log2(last / first) * 60) / width()));
            const all = [];
            for (let bits = Math.ceil(Math.log2(first)); bits <= Math.log2(last); bits += step) all.push(2 ** bits);
            return all;
          },
          values: (u, ticks) => ticks.map(count), filter: (u, ticks) => ticks },
        { ...axis, label: "ns an input", size: 62,
          values: (u, ticks) => ticks.map((tick) => (tick === null ? "" : String(+tick.toPrecision(3)))),
          filter: (u, ticks) => ticks.map((tick) => {
            const digit = tick / 10 ** Math.floor(Math.log10(tick) + 1e-9);
            return !logarithmic || [1, 2, 5].includes(Math.round(digit * 1000) / 1000) ? tick : null;
          }) },
      ],
      series, bands,
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      hooks: { draw: [crossings],
               setCursor: [(u) => { if (u.cursor.idx !== null) say(group, u.cursor.idx, readout); }] },
    }, columns, place);
    let index = Math.max(0, group.rows.findIndex((row) => row.m === group.most));
    say(group, index, readout);
    place.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      index = Math.min(group.rows.length - 1, Math.max(0, index + step));
      chart.setCursor({ left: chart.valToPos(group.rows[index].m, "x"), top: 10 });
      say(group, index, readout);
    };
    figure.classList.add("live");
    place.tabIndex = 0;
    place.setAttribute("role", "application");
    place.setAttribute("aria-label", "Chart of times. Arrow keys go from one number of buckets to the next; the values are read below it.");
    readout.setAttribute("aria-live", "polite");
  }

  // ---- The choice of the group ----
  const sections = [...document.querySelectorAll("section.group")];
  let shown = sections[0];

  function show(section) {
    for (const other of sections) other.hidden = other !== section;
    shown = section;
    draw(section);
  }

  const KEYS = [["machine", "machine"], ["operation", "operation"], ["labels", "labels"], ["types", "types"], ["n", "inputs n"]];

  function chooser() {
    const form = make("form", "", { className: "choose" });
    form.setAttribute("aria-label", "Which problems the pictures show");
    const selects = new Map();
    for (const [key, name] of KEYS) {
      const values = [...new Set(sections.map((section) => groups.get(section.dataset.group)[key]))];
      if (values.length < 2) continue;
      const label = make("label", name);
      const select = make("select");
      for (const value of values) select.append(make("option", key === "n" ? count(value) : value, { value }));
      select.value = groups.get(shown.dataset.group)[key];
      label.append(select);
      form.append(label);
      selects.set(key, select);
    }
    // Shows the group that has the changed value, and of the others as many as there are.
    const choose = (changed) => {
      let best = null;
      let most = -1;
      for (const section of sections) {
        const group = groups.get(section.dataset.group);
        let score = 0;
        for (const [key, select] of selects) {
          if (String(group[key]) === select.value) score += key === changed ? 100 : 1;
        }
        if (score > most) { most = score; best = section; }
      }
      show(best);
      const group = groups.get(best.dataset.group);
      for (const [key, select] of selects) select.value = group[key];
    };
    for (const [key, select] of selects) select.onchange = () => choose(key);
    const tick = make("label", "", { className: "tick" });
    const box = make("input", "", { type: "checkbox", checked: true });
    box.onchange = () => { logarithmic = box.checked; draw(shown); };
    tick.append(box, "logarithmic time");
    form.append(tick);
    form.onsubmit = (event) => event.preventDefault();
    return form;
  }

  if (sections.length > 0) {
    const slot = document.getElementById("pictures");
    for (const more of document.querySelectorAll("details.more-groups")) {
      for (const section of more.querySelectorAll("section.group")) slot.append(section);
      more.remove();
    }
    slot.prepend(chooser());
    show(shown);
    let last = innerWidth;
    addEventListener("resize", () => { if (innerWidth !== last) { last = innerWidth; draw(shown); } });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(shown));
  }

  // ---- The table of all points ----
  const table = document.querySelector("table.points");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows];
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b
    : String(a).localeCompare(String(b), "en", { numeric: true }));
  heads.forEach((head, column) => {
    const button = make("button", head.textContent, { type: "button" });
    head.replaceChildren(button);
    button.onclick = () => {
      const falls = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", falls ? "descending" : "ascending");
      const sign = falls ? -1 : 1;
      rows.sort((a, b) => sign * compare(value(a, column), value(b, column)));
      body.append(...rows);
    };
  });
  const form = make("form", "", { className: "choose" });
  form.setAttribute("aria-label", "Filters of the table");
  form.onsubmit = (event) => event.preventDefault();
  const status = make("span", "", { className: "soft" });
  status.setAttribute("role", "status");
  const filters = [];
  const refresh = () => {
    let seen = 0;
    for (const row of rows) {
      row.hidden = !filters.every((passes) => passes(row));
      seen += row.hidden ? 0 : 1;
    }
    status.textContent = `${seen} of ${rows.length} points`;
  };
  heads.forEach((head, column) => {
    if (head.dataset.filter === undefined) return;
    const values = [...new Set(rows.map((row) => row.cells[column].textContent))];
    if (values.length < 2 || values.length > 60) return;
    const label = make("label", head.textContent);
    const select = make("select");
    select.append(make("option", "all", { value: "" }));
    values.forEach((one, index) => select.append(make("option", one || "(none)", { value: String(index + 1) })));
    label.append(select);
    form.append(label);
    filters.push((row) => select.value === "" || row.cells[column].textContent === values[select.value - 1]);
    select.onchange = refresh;
  });
  const label = make("label", "with the words");
  const words = make("input", "", { type: "search" });
  label.append(words);
  form.append(label, status);
  words.oninput = refresh;
  filters.push((row) => words.value.toLowerCase().split(/\s+/)
    .every((word) => row.textContent.toLowerCase().includes(word)));
  table.closest(".tall").before(form);
  refresh();
})();
