// The page of the lab: controls become a request, which the program answers; answers
// become pictures. All numbers are the program's. See cmd/lab for requests and answers.
"use strict";

const at = id => document.getElementById(id);
const usual = { distribution: "normal", d_k: "64", keys: "8", exponent: "1/2", temperature: "8", sd: "1", mean: "0", rho: "0", seed: "7", row: "2583", hold: "yes" };
const texts = ["d_k", "keys", "exponent", "temperature", "sd", "mean", "rho", "seed", "row"];
const measured = [["max_weight", "largest weight"], ["entropy_ratio", "entropy ratio"], ["relative_trace", "R: 1 for uniform weights, 0 for one key"]];

const say = (text, fault) => { at("lab-say").textContent = text; at("lab-say").classList.toggle("fault", !!fault); };

// Controls and the address.

const divisor = () => document.querySelector("[name=divisor]:checked").value;

// request is what the controls say, as the program reads it.
function request() {
  const r = { distribution: at("distribution").value };
  for (const name of texts) if (name !== "exponent" && name !== "temperature") r[name] = at(name).value.trim();
  switch (divisor()) {
    case "rule": r.rule = "sqrt(d_k/2)"; break;
    default: r[divisor()] = at(divisor()).value.trim();
  }
  r.hold = at("hold").checked ? "yes" : "no";
  return r;
}

// address leaves out what is as usual.
function address(r) {
  const q = new URLSearchParams();
  for (const [name, text] of Object.entries(r)) if (usual[name] !== text || name === "temperature") q.set(name, text);
  const all = q.toString();
  return all ? "#" + all : "";
}

// linked are the texts of a link, if the address has any: other fragments lead to parts of
// the page.
const linked = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");

// restore sets the controls as a link says. What it says wrongly is said, and is as usual.
function restore() {
  const q = linked();
  const { fault } = JSON.parse(mcsim.answer(JSON.stringify(Object.fromEntries(q))));
  for (const name of [...texts, "distribution"]) at(name).value = q.get(name) ?? usual[name];
  if (at("distribution").selectedIndex < 0) at("distribution").value = usual.distribution;
  at("hold").checked = (q.get("hold") ?? usual.hold) === "yes";
  let by = "exponent";
  if (q.has("rule")) by = "rule";
  else if (q.has("temperature")) by = "temperature";
  document.querySelector(`[name=divisor][value=${by}]`).checked = true;
  if (["sd", "mean", "rho"].some(name => at(name).value !== usual[name])) at("breakers").open = true;
  if ([...q.keys()].some(name => !["d_k", "keys", "seed", "row", "hold"].includes(name))) at("more").open = true;
  return fault ? `The link is faulty: ${fault}` : "";
}

// follow puts the sliders where the texts are; what is no plain number leaves them.
function follow() {
  for (const slider of document.querySelectorAll("[type=range]")) {
    const text = at(slider.dataset.of).value.trim();
    const [, a, op, b] = /^([^/^]*)(?:([/^])(.*))?$/.exec(text) ?? [];
    const x = op === "/" ? a / b : op === "^" ? a ** b : Number(text);
    slider.setAttribute("aria-valuetext", text);
    if (!Number.isFinite(x)) continue;
    slider.value = slider.dataset.log ? Math.log2(x) : x;
  }
}

// slid is the text for where a slider is: of d_k a whole number, else three digits.
function slid(slider) {
  const x = slider.dataset.log ? 2 ** slider.value : Number(slider.value);
  return slider.dataset.of === "d_k" ? String(Math.round(x)) : String(Number(x.toPrecision(3)));
}

// Pictures.

const svg = (tag, attributes, ...inside) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...inside);
  return e;
};

const html = (tag, attributes, ...inside) => {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...inside);
  return e;
};

// shown writes a number of one drawn row, which has no error: three digits.
function shown(x) {
  if (x === undefined) return "–";
  const minus = text => text.replace("-", "−");
  if (x !== 0 && Math.abs(x) < 0.001) {
    const [digits, power] = x.toExponential(1).split("e");
    return minus(`${digits}·10`) + minus(power).replace("+", "").replace(/./g, c => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻");
  }
  return minus(Math.abs(x) >= 1000 ? x.toFixed(0) : x.toPrecision(3));
}

// named says what the scores are divided by, and which of the figures' colours it has.
function named(scaling) {
  const p = scaling.exponent;
  if (scaling.rule) return ["÷ √(dₖ/2)", "other"];
  if (scaling.temperature !== undefined) return [`÷ T = ${scaling.temperature}`, "other"];
  if (p === 0.5) return ["÷ √dₖ", "root"];
  if (p === 1) return ["÷ dₖ", "dimension"];
  return [`÷ dₖ^${shown(p)}`, "other"];
}

function numbers(raw, by) {
  const cell = (s, what, kind) => html("td", { class: kind }, what === "label" ? s.label : s[what] === null ? "–" : shown(s[what]));
  const all = [...measured, ["relative_key_gradient", "gradient at the keys"], ["label", "label"]];
  at("numbers").replaceChildren(...all.map(([what, title]) =>
    html("tr", {}, html("th", { scope: "row" }, title), cell(raw, what, "raw"), cell(by, what, "by"))));
}

const bar = (x, kind, title) => svg("svg", { viewBox: "0 0 100 9", preserveAspectRatio: "none", class: "bar", role: "img", "aria-label": title },
  svg("rect", { class: "ground", width: 100, height: 9 }), svg("rect", { class: kind, width: 100 * x, height: 9 }));

// strip is a cell a key, the stronger the more weight.
const strip = (s, kind, title) => [html("p", { class: "strip-of" }, title),
  svg("svg", { viewBox: `0 0 ${s.weights.length * 10} 12`, preserveAspectRatio: "none", class: "strip", role: "img", "aria-label": `${title} of ${s.weights.length} keys` },
    ...s.weights.map((w, j) => svg("g", {}, svg("rect", { class: "ground", x: j * 10, width: 9, height: 12 }),
      svg("rect", { class: kind, x: j * 10, width: 9, height: 12, "fill-opacity": Math.sqrt(w) }, svg("title", {}, `key ${j + 1}: ${shown(w)}`)))))];

// weights shows up to sixteen keys as bars, and more as strips.
function weights(a, raw, by, byName) {
  if (a.scores.length > 16) {
    at("weights").replaceChildren(...strip(raw, "of-raw", "weights, unscaled"), ...strip(by, "of-by", `weights, ${byName}`),
      html("p", { class: "strip-of" }, "A cell is a key, from the first to the last: the stronger its colour, the more weight."));
    return;
  }
  const head = ["key", "q·k", "weight, unscaled", `weight, ${byName}`].map((text, i) => html("span", { class: i === 1 ? "head score" : "head" }, text));
  at("weights").replaceChildren(html("div", { class: "keys" }, ...head, ...a.scores.flatMap((s, j) => [
    html("span", {}, String(j + 1)), html("span", { class: "score" }, shown(s)),
    bar(raw.weights[j], "of-raw", `weight ${shown(raw.weights[j])}, unscaled`), bar(by.weights[j], "of-by", `weight ${shown(by.weights[j])}, ${byName}`)])));
}

function list(a, raw, by) {
  at("list").replaceChildren(...a.scores.map((s, j) =>
    html("tr", {}, html("th", { scope: "row" }, String(j + 1)), ...[s, raw.weights[j], by.logits[j], by.weights[j]].map(x => html("td", { class: "num" }, shown(x))))));
}

// panels draws small pictures side by side, in the pixels that each of them has.
function panels(box, height, pictures) {
  const columns = getComputedStyle(box).gridTemplateColumns.split(" ");
  const width = Math.max(80, Math.floor(parseFloat(columns[0]) || 0));
  box.replaceChildren(...pictures.map(picture => {
    const { title, parts } = picture(width);
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": title }, ...parts);
  }));
}

const word = (x, y, text, anchor) => svg("text", { x, y, "text-anchor": anchor }, text);

// many shows how rows are spread, with a line where the row that is shown is; while rows
// are counted for other controls than before, the old picture is pale.
const labels = ["spread", "concentrated", "dead"];
let counted = null, here = null, drawnWalks = null;
function many() {
  at("many").classList.toggle("stale", !counted);
  at("many").dataset.rows = counted ? counted.rows : 0;
  if (!counted || !here) {
    at("many-say").textContent = "Counting rows …";
    return;
  }
  const r = counted, last = r.scalings.length - 1;
  panels(at("many"), 104, measured.map(([what, title]) => w => {
    const bins = r.scalings[0][what].length, step = w / bins, top = Math.max(...r.scalings.flatMap(s => s[what]));
    const bars = (s, kind, shift) => s[what].map((n, i) => svg("rect", { class: kind, x: (i + shift) * step, y: 72 - 66 * n / top, width: 0.42 * step, height: 66 * n / top }));
    const line = (x, kind, dash) => svg("path", { class: kind, d: `M${w * x},2V72`, "stroke-width": 1.5, "stroke-dasharray": dash });
    const divided = last ? [...bars(r.scalings[last], "of-by", 0.52), line(here[1][what], "line-by", "3 2")] : [];
    return { title: `${title} of ${r.rows} rows`, parts: [...bars(r.scalings[0], "of-raw", 0.06), svg("path", { class: "line-quiet", d: `M0,72H${w}` }),
      line(here[0][what], "line-raw", "none"), ...divided, word(0, 85, "0", "start"), word(w, 85, "1", "end"), word(w / 2, 98, title, "middle")] };
  }));
  const said = s => labels.filter(l => s.labels[l]).map(l => `${s.labels[l]} ${l}`).join(", ");
  at("many-say").textContent = `${r.rows} of ${r.of} rows like this one, counted in bins of a twentieth. Unscaled (left bars): ${said(r.scalings[0])}. ` +
    (last ? `${at("by-name").textContent} (right bars): ${said(r.scalings[last])}. Lines: the row above, unscaled and, dashed, divided.` : "Line: the row above.");
}

// walks draws the partial sums as they are, divided by √d and by d.
function walks() {
  if (!drawnWalks) return;
  const { w, d } = drawnWalks, last = w.components[w.components.length - 1], octaves = Math.max(1, Math.log2(last));
  panels(at("walks"), 146, [[0, "as they are"], [0.5, "÷ √d"], [1, "÷ d"]].map(([p, title]) => width => {
    const y = w.sums.map(sums => sums.map((s, i) => s / w.components[i] ** p));
    const edge = w.components.map(x => 2 * x ** (0.5 - p));
    const top = Math.max(...edge, ...y.flat().map(Math.abs));
    const X = x => (width * Math.log2(x) / octaves).toFixed(1), Y = v => (68 - 48 * v / top).toFixed(1);
    const path = values => "M" + values.map((v, i) => `${X(w.components[i])},${Y(v)}`).join("L") + (values.length > 1 ? "" : "l0.01,0");
    const mark = d < last ? [svg("path", { class: "here", d: `M${X(d)},16V120` }), word(X(d), 131, `dₖ = ${d}`, d < 8 ? "start" : d > last / 8 ? "end" : "middle")] : [];
    const ends = [...(d < 64 && d < last ? [] : [word(0, 131, "1", "start")]), ...(d > last / 16 && d < last ? [] : [word(width, 131, String(last), "end")])];
    return { title: `partial sums ${title}`, parts: [svg("path", { class: "line-quiet", d: `M0,68H${width}`, "stroke-width": 0.5 }),
      ...y.map((values, j) => svg("path", { class: j ? "walk" : "walk first", d: path(values) })),
      svg("path", { class: "envelope", d: path(edge) }), svg("path", { class: "envelope", d: path(edge.map(v => -v)) }), ...mark, ...ends,
      word(0, 10, `from −${shown(top)} to ${shown(top)}`, "start"), word(width / 2, 144, title, "middle")] };
  }));
}

// The way of a change: request, answer, pictures; rows are counted when one has stopped.

const divisors = ["exponent", "rule", "temperature"]; // of which one is given
let valid = { ...usual, temperature: "" }; // the last valid texts of the fields
let asked = {}, spread = "", timer = 0, row = 0;

// show asks for the row and shows it; what the link had wrong is said beside it.
function show(linkFault) {
  follow();
  const r = request(), faults = new Map();
  let a = JSON.parse(mcsim.answer(JSON.stringify(r)));
  while (a.fault) { // a field that is not valid counts with its last valid text
    const name = a.fault.split(":")[0];
    if (!(name in r) || faults.has(name)) { say(a.fault, true); return; }
    faults.set(name, a.fault);
    const isDivisor = divisors.includes(name);
    if (isDivisor) delete r[name];
    for (const other of isDivisor ? divisors : [name]) if (valid[other]) r[other] = valid[other];
    a = JSON.parse(mcsim.answer(JSON.stringify(r)));
  }
  for (const name of texts) at(name).setAttribute("aria-invalid", String(faults.has(name)));
  valid = { ...r };
  const faultText = [...faults].map(([name, fault]) => `${fault}; the page shows the last valid one`).join(". ");
  if (faultText) linkFault = faultText;
  say(linkFault || (a.scalings.length === 1 ? "p = 0 divides by 1: both columns are the same." : ""), !!linkFault);
  asked = r;
  row = a.row;
  const raw = a.scalings[0], by = a.scalings[a.scalings.length - 1], [byName, colour] = named(by.scaling);
  here = [raw, by];
  at("lab").dataset.by = colour;
  at("by-name").textContent = byName;
  numbers(raw, by);
  weights(a, raw, by, byName);
  list(a, raw, by);
  drawnWalks = { w: a.walks, d: Number(a.params.d_k) };
  walks();
  const link = location.href.split("#")[0] + address(r);
  at("link").value = link;
  at("command-line").hidden = !a.command;
  at("command").value = a.command;
  if (address(r) || linked().size) try { history.replaceState(null, "", link); } catch { /* a page that may not: the link is in its field */ }
  count(r);
}

// count asks for the rows that are like the one shown, unless they are those that were
// counted.
function count(r) {
  const { row, ...rest } = { ...r, hold: "no" }, key = JSON.stringify(rest);
  if (key === spread) { many(); return; }
  spread = key;
  counted = null;
  mcsim.stop();
  many();
  clearTimeout(timer);
  timer = setTimeout(() => {
    const fault = mcsim.redraw(JSON.stringify(rest), text => {
      if (spread !== key) return;
      const rows = JSON.parse(text);
      if (rows.fault) { say(rows.fault, true); return; }
      counted = rows;
      many();
    });
    if (fault) say(JSON.parse(fault).fault, true);
  }, 150);
}

let waiting = false;
function changed() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; show(); });
}

function listen() {
  const form = at("controls");
  form.addEventListener("submit", e => e.preventDefault());
  form.addEventListener("input", e => {
    const t = e.target;
    if (t.type === "range") at(t.dataset.of).value = slid(t);
    const of = t.dataset.of ?? t.id;
    if (of === "exponent" || of === "temperature") document.querySelector(`[name=divisor][value=${of}]`).checked = true;
    changed();
  });
  at("resample").addEventListener("click", () => { at("row").value = String(row + 1); changed(); });
  at("reset").addEventListener("click", () => {
    history.replaceState(null, "", location.href.split("#")[0]);
    restore();
    changed();
  });
  for (const [button, field] of [["copy", "link"], ["copy-command", "command"]]) at(button).addEventListener("click", async () => {
    at(field).select();
    try { await navigator.clipboard.writeText(at(field).value); say("Copied."); } catch { say("It is marked: copy it with your keyboard."); }
  });
  addEventListener("resize", () => { walks(); many(); });
  addEventListener("hashchange", () => { if (linked().size) show(restore()); });
}

// still shows a picture and a command in place of the lab.
function still(why) {
  say(why, true);
  at("still").hidden = false;
}

// start unpacks the program, which stands in the page, and runs it.
async function start() {
  const packed = at("program");
  if (!packed) return; // the page says what is missing
  say("The lab is starting.");
  if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
    still("The lab needs a browser with WebAssembly and DecompressionStream; those since 2023 have both.");
    return;
  }
  try {
    const bytes = Uint8Array.from(atob(packed.textContent.trim()), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(await new Response(stream).arrayBuffer(), go.importObject);
    go.run(instance);
  } catch (e) {
    still(`The lab could not start (${e.message}). Here is a picture of one row at three dₖ instead.`);
    return;
  }
  const linkFault = restore();
  listen();
  for (const part of ["now", "controls", "shown"]) at(part).hidden = false;
  show(linkFault);
}

start();
