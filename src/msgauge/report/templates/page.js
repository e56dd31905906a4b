"use strict";
(() => {
  const root = document.documentElement;
  theme();
  menu();
  print();
  tips();
  legends();
  numbers();

  function theme() {
    const kept = recall();
    if (kept) root.dataset.theme = kept;
    document.getElementById("theme").addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("msgauge-theme", root.dataset.theme); } catch { /* not allowed here: forgotten on reload */ }
    });
  }

  // On a narrow screen the list of sections is folded, so that the summary is on the first screen.
  function menu() {
    const narrow = matchMedia("(max-width: 1040px)");
    const list = document.querySelector(".menu");
    const fold = () => { if (list) list.open = !narrow.matches; };
    narrow.addEventListener("change", fold);
    fold();
    list?.addEventListener("click", event => { if (event.target.closest("a")) fold(); });
  }

  function recall() {
    try {
      const kept = localStorage.getItem("msgauge-theme");
      return kept === "dark" || kept === "light" ? kept : "";
    } catch { return ""; }
  }

  // Printed is the summary, unless the reader asks for the whole page with the sections that are open.
  function print() {
    const button = document.getElementById("print");
    if (!button) return;
    button.addEventListener("click", () => {
      const whole = root.dataset.print !== "whole";
      root.dataset.print = whole ? "whole" : "summary";
      button.setAttribute("aria-pressed", String(whole));
    });
  }

  // Tooltips: the nearest point of the drawing under the pointer says its own description.
  function tips() {
    const tip = document.getElementById("tip");
    let hit = null;
    const leave = () => { tip.hidden = true; if (hit) hit.classList.remove("hit"); hit = null; };
    const show = (event) => {
      const drawing = event.target.closest && event.target.closest(".drawing svg");
      const near = drawing ? nearest(drawing, event.clientX, event.clientY) : null;
      if (near === hit) { if (hit) place(event); return; }
      leave();
      if (!near) return;
      hit = near;
      hit.classList.add("hit");
      tip.textContent = near.getAttribute("aria-label");
      tip.hidden = false;
      place(event);
    };
    const place = (event) => {
      const box = tip.getBoundingClientRect();
      const left = Math.min(Math.max(8, event.clientX + 14), root.clientWidth - box.width - 8);
      const above = event.clientY - box.height - 14;
      tip.style.transform = `translate(${left}px,${above < 8 ? event.clientY + 18 : above}px)`;
    };
    document.addEventListener("pointermove", show);
    document.addEventListener("pointerdown", show);
    document.addEventListener("scroll", leave, { passive: true });
  }

  function nearest(drawing, x, y) {
    let best = null, least = 30 * 30;
    for (const mark of drawing.querySelectorAll("path[aria-label]")) {
      const box = mark.getBoundingClientRect();
      const dx = box.left + box.width / 2 - x, dy = box.top + box.height / 2 - y;
      const distance = dx * dx + dy * dy;
      if (distance < least && !mark.classList.contains("dim")) { best = mark; least = distance; }
    }
    return best;
  }

  // Legends: pressing a stack dims the others in every figure with the same stacks.
  function legends() {
    for (const button of document.querySelectorAll(".legend button")) {
      button.addEventListener("click", () => {
        const figure = button.closest("figure");
        const only = button.getAttribute("aria-pressed") === "true" ? "" : button.dataset.ink;
        for (const other of figure.querySelectorAll(".legend button")) {
          other.setAttribute("aria-pressed", String(only !== "" && other === button));
        }
        for (const mark of figure.querySelectorAll(".drawing path, .drawing line")) {
          const ink = (mark.getAttribute("fill") || "") + (mark.getAttribute("stroke") || "");
          const found = /--s(\d+)\)/.exec(ink);
          if (found) mark.classList.toggle("dim", only !== "" && found[1] !== only);
        }
      });
    }
  }

  // The table of all numbers.
  function numbers() {
    const source = document.getElementById("data");
    if (!source) return;
    const data = JSON.parse(source.textContent);
    for (const row of data.rows) {
      data.columns.forEach((column, index) => { if (row[index] !== null) row[index] = unpacked(row[index], column.kind, data.texts); });
    }
    const table = document.getElementById("numbers");
    const filter = document.getElementById("filter");
    const most = 400;
    let order = { column: -1, up: true };
    const texts = data.rows.map((row) => row.map((value, index) => shown(value, data.columns[index].kind)));
    const lines = texts.map((row) => row.join(" ").toLowerCase());
    const head = table.createTHead().insertRow();
    data.columns.forEach((column, index) => {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.className = column.kind;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = column.title;
      button.addEventListener("click", () => {
        order = { column: index, up: order.column === index ? !order.up : true };
        for (const other of head.cells) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", order.up ? "ascending" : "descending");
        draw();
      });
      cell.append(button);
      head.append(cell);
    });
    const body = table.createTBody();
    filter.addEventListener("input", draw);
    document.getElementById("csv").addEventListener("click", () => save("csv", csv(), "text/csv"));
    document.getElementById("json").addEventListener("click", () => save("json", json(), "application/json"));
    draw();

    function chosen() {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = data.rows.map((_, index) => index).filter((index) => words.every((word) => lines[index].includes(word)));
      return order.column < 0 ? found : found.sort((a, b) => compare(data.rows[a][order.column], data.rows[b][order.column]) || a - b);
    }

    function compare(a, b) {
      if (a === null || b === null) return (a === null) - (b === null);
      const way = order.up ? 1 : -1;
      if (typeof a === "object") [a, b] = [Object.values(a)[0], Object.values(b)[0]];
      return way * (typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0);
    }

    function draw() {
      const found = chosen();
      const rows = found.slice(0, most).map((index) => {
        const row = document.createElement("tr");
        texts[index].forEach((text, column) => {
          const cell = row.insertCell();
          cell.className = data.columns[column].kind;
          cell.textContent = text;
          if (["text", "series"].includes(cell.className) && text.length > 24) cell.title = text;
        });
        return row;
      });
      body.replaceChildren(...rows);
      const hidden = found.length > most ? `, the first ${most} shown` : "";
      document.getElementById("shown").textContent = `${found.length} of ${data.rows.length} rows${hidden}`;
    }

    function csv() {
      const field = (value) => {
        const text = value === null ? "" : typeof value === "object" ? told(value, String, "=", " ") : String(value);
        const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
        return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
      };
      const rows = [data.columns.map((column) => column.key), ...chosen().map((index) => data.rows[index])];
      return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
    }

    function json() {
      const named = (row) => Object.fromEntries(data.columns.map((column, index) => [column.key, row[index]]));
      return JSON.stringify(chosen().map((index) => named(data.rows[index])), null, 1);
    }

    function save(ending, text, type) {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type }));
      link.download = `${data.name}.${ending}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }
  }

  // Texts stand in a list of their own; further series are pairs of a name in that list and nanoseconds.
  function unpacked(value, kind, texts) {
    if (kind === "text") return texts[value];
    if (kind === "series") return Object.fromEntries(value.map(([name, time]) => [texts[name], time]));
    return value;
  }

  function told(series, format, equals, between) {
    return Object.entries(series).map(([name, time]) => name + equals + format(time)).join(between);
  }

  function shown(value, kind) {
    if (value === null) return ["text", "series", "mark"].includes(kind) ? "" : "–";
    if (kind === "mark") return value ? "*" : "";
    if (kind === "time") return scaled(value, [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]]);
    if (kind === "series") return told(value, (time) => shown(time, "time"), " ", ", ").replaceAll("_", " ");
    if (kind === "messages") return scaled(value, [["msg/s", 1], ["kmsg/s", 1e3], ["Mmsg/s", 1e6], ["Gmsg/s", 1e9]]);
    if (kind === "rate") return scaled(value, [["B/s", 1], ["kB/s", 1e3], ["MB/s", 1e6], ["GB/s", 1e9]]);
    if (kind === "ratio") return ratio(value);
    if (kind === "size") return size(value);
    return String(value);
  }

  function size(bytes) {
    for (const [unit, factor] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 1024]]) {
      if (bytes && bytes % factor === 0) return `${bytes / factor} ${unit}`;
    }
    return `${bytes} B`;
  }

  function scaled(value, units) {
    const rounded = Math.abs(round(value, 3));
    const [unit, factor] = [...units].reverse().find((one) => rounded >= one[1]) || units[0];
    return `${digits(value / factor)} ${unit}`;
  }

  // Three digits, or as many as tell it from 1: the end of an interval that misses 1 does not read as 1.
  function ratio(value) {
    const told = (count) => Number(digits(value, count)) !== 1 || Math.abs(value - 1) <= 1e-9;
    return digits(value, [3, 4, 5, 6, 7, 8, 9, 10, 11].find(told) || 3);
  }

  function digits(value, count = 3) {
    const rounded = round(value, count);
    if (rounded === 0) return "0";
    const size = Math.abs(rounded);
    if (size < 1e-4 || size >= 1e6) return rounded.toExponential(count - 1).replace(/e([+-])(\d)$/, "e$10$2");
    return rounded.toFixed(Math.max(0, count - 1 - Math.floor(Math.log10(size))));
  }

  // As everywhere in msgauge, what lies just between two numbers goes to the even one.
  function round(value, count) {
    const [mantissa, power] = value.toExponential(60).split("e");
    const between = new RegExp(`^(-?\\d\\.\\d{${count - 2}}[02468])50*$`).exec(mantissa);
    return Number(between ? `${between[1]}e${power}` : value.toPrecision(count));
  }
})();
