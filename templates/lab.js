// The page of the lab: its controls become a request, which the program answers; answers become
// pictures. All numbers are the program's. See cmd/lab for requests and answers.
const defaults = { distribution: "normal", d_k: "64", keys: "8", exponent: "0", temperature: "8", sd: "1", mean: "0", rho: "0", seed: "7", row: "2583", hold: "yes" };
const textFields = ["d_k", "keys", "exponent", "temperature", "sd", "mean", "rho", "seed", "row"];
const measures = [["max_weight", "largest weight"], ["entropy_ratio", "entropy ratio"], ["relative_trace", "R: 1 for uniform weights, 0 for one key"]];

// Controls and the address.

const chosenDivisor = () => document.querySelector("[name=divisor]:checked").value;

// request returns the state of the controls, as the program reads it.
function request() {
  const r = { distribution: find("distribution").value }, divisor = chosenDivisor();
  for (const name of textFields) if (name !== "exponent" && name !== "temperature") r[name] = find(name).value.trim();
  if (divisor === "rule") r.rule = "sqrt(d_k/2)";
  else if (divisor === "exponent" || divisor === "temperature") r[divisor] = find(divisor).value.trim();
  else r.exponent = divisor; // of the switch
  r.hold = find("hold").checked ? "yes" : "no";
  return r;
}

// formatAddress returns the fragment of a link to a request. It omits the defaults.
function formatAddress(r) {
  const parameters = new URLSearchParams();
  for (const [name, text] of Object.entries(r)) if (defaults[name] !== text || name === "temperature") parameters.set(name, text);
  const fragment = parameters.toString();
  return fragment ? "#" + fragment : "";
}

// readAddress returns the parameters of the address. Other fragments lead to parts of the page.
const readAddress = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");

// restore sets the controls to the state in the address. It returns a message if the address has an
// error; the controls in question have their defaults.
function restore() {
  const parameters = readAddress();
  const { fault } = JSON.parse(mcsim.answer(JSON.stringify(Object.fromEntries(parameters))));
  for (const name of [...textFields, "distribution"]) find(name).value = parameters.get(name) ?? defaults[name];
  if (find("distribution").selectedIndex < 0) find("distribution").value = defaults.distribution;
  find("hold").checked = (parameters.get("hold") ?? defaults.hold) === "yes";
  const exponent = parameters.get("exponent") ?? defaults.exponent;
  find("exponent").value = parameters.get("exponent") ?? "1/2"; // if the user chooses a power
  let divisor = ["0", "1/2", "1"].includes(exponent) ? exponent : "exponent";
  if (parameters.has("rule")) divisor = "rule";
  else if (parameters.has("temperature")) divisor = "temperature";
  document.querySelector(`[name=divisor][value="${divisor}"]`).checked = true;
  if (["sd", "mean", "rho"].some(name => find(name).value !== defaults[name])) find("breakers").open = true;
  const isInStrip = name => name === "d_k" || name === "exponent" && divisor !== "exponent";
  if ([...parameters.keys()].some(name => !isInStrip(name) && !["seed", "row", "hold"].includes(name))) find("more").open = true;
  return fault ? `The link is faulty: ${fault}` : "";
}

// moveSliders moves the sliders to the values of their fields, except to those that are not numbers.
function moveSliders() {
  for (const slider of document.querySelectorAll("[type=range]")) {
    const text = find(slider.dataset.field).value.trim();
    const [, a, operator, b] = /^([^/^]*)(?:([/^])(.*))?$/.exec(text) ?? [];
    const x = operator === "/" ? a / b : operator === "^" ? a ** b : Number(text);
    slider.setAttribute("aria-valuetext", text);
    if (!Number.isFinite(x)) continue;
    slider.value = slider.dataset.log ? Math.log2(x) : x;
  }
}

// formatSlider returns the value of a slider: a whole number for d_k, and otherwise three digits.
function formatSlider(slider) {
  const x = slider.dataset.log ? 2 ** slider.value : Number(slider.value);
  return slider.dataset.field === "d_k" ? String(Math.round(x)) : String(Number(x.toPrecision(3)));
}

// Pictures.

const createSVG = (tag, attributes, ...contents) =>
  addParts(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, contents);

// formatNumber formats a number of one drawn row, which has no error, to three digits.
function formatNumber(x) {
  if (x === undefined) return "–";
  const minus = text => text.replace("-", "−");
  if (x !== 0 && Math.abs(x) < 0.001) {
    const [digits, power] = x.toExponential(1).split("e");
    return minus(`${digits}·10`) + minus(power).replace("+", "").replace(/./g, c => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻");
  }
  return minus(Math.abs(x) >= 1000 ? x.toFixed(0) : x.toPrecision(3));
}

// nameDivisor returns the name of a divisor, and which of the figures' colours it has.
function nameDivisor(scaling) {
  const p = scaling.exponent;
  if (scaling.rule) return ["÷ √(dₖ/2)", "other"];
  if (scaling.temperature !== undefined) return [`÷ T = ${scaling.temperature}`, "other"];
  if (p === 0) return ["no scale", "0"];
  if (p === 0.5) return ["÷ √dₖ", "0.5"];
  if (p === 1) return ["÷ dₖ", "1"];
  return [`÷ dₖ^${formatNumber(p)}`, "other"];
}

function showMeasures(raw, divided) {
  const cell = (s, name, kind) => createHTML("td", { class: kind }, name === "label" ? s.label : s[name] === null ? "–" : formatNumber(s[name]));
  const rows = [...measures, ["relative_key_gradient", "gradient at the keys"], ["label", "label"]];
  find("numbers").replaceChildren(...rows.map(([name, title]) =>
    createHTML("tr", {}, createHTML("th", { scope: "row" }, title), cell(raw, name, "raw"), cell(divided, name, "by"))));
}

function listKeys(scores, raw, divided) {
  find("list").replaceChildren(...scores.map((score, j) => createHTML("tr", {}, createHTML("th", { scope: "row" }, String(j + 1)),
    ...[score, raw.weights[j], divided.logits[j], divided.weights[j]].map((x, i) => createHTML("td", { class: i < 2 ? "num" : "num by" }, formatNumber(x))))));
}

// drawPanels draws small pictures side by side, in the pixels that each of them has.
function drawPanels(box, height, pictures) {
  const columns = getComputedStyle(box).gridTemplateColumns.split(" ");
  const width = Math.max(80, Math.floor(parseFloat(columns[0]) || 0));
  box.replaceChildren(...pictures.map(picture => {
    const { title, parts } = picture(width);
    return createSVG("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": title }, ...parts);
  }));
}

const drawText = (x, y, text, anchor) => createSVG("text", { x, y, "text-anchor": anchor }, text);

// showCounts shows the distributions of measures over many rows, with a line for the shown row.
// While rows are counted for a new request, the old picture is pale.
const labels = ["spread", "concentrated", "dead"];
let counted = null, shownScalings = null, shownWalks = null;
function showCounts() {
  find("many").classList.toggle("stale", !counted);
  find("many").dataset.rows = counted ? counted.rows : 0;
  if (!counted || !shownScalings) {
    find("many-say").textContent = "Counting rows …";
    return;
  }
  const r = counted, last = r.scalings.length - 1;
  drawPanels(find("many"), 104, measures.map(([name, title]) => w => {
    const bins = r.scalings[0][name].length, step = w / bins, top = Math.max(...r.scalings.flatMap(s => s[name]));
    const bars = (s, kind, shift) => s[name].map((n, i) => createSVG("rect", { class: kind, x: (i + shift) * step, y: 72 - 66 * n / top, width: 0.42 * step, height: 66 * n / top }));
    const line = (x, kind, dash) => createSVG("path", { class: kind, d: `M${w * x},2V72`, "stroke-width": 1.5, "stroke-dasharray": dash });
    const divided = last ? [...bars(r.scalings[last], "of-by", 0.52), line(shownScalings[1][name], "line-by", "3 2")] : [];
    return { title: `${title} of ${r.rows} rows`, parts: [...bars(r.scalings[0], "of-raw", 0.06), createSVG("path", { class: "line-quiet", d: `M0,72H${w}` }),
      line(shownScalings[0][name], "line-raw", "none"), ...divided, drawText(0, 85, "0", "start"), drawText(w, 85, "1", "end"), drawText(w / 2, 98, title, "middle")] };
  }));
  const listLabels = s => labels.filter(l => s.labels[l]).map(l => `${s.labels[l]} ${l}`).join(", ");
  find("many-say").textContent = `${r.rows} of ${r.of} rows like this one, counted in bins of a twentieth. Without the scale (left bars): ${listLabels(r.scalings[0])}. ` +
    (last ? `${find("by-name").textContent} (right bars): ${listLabels(r.scalings[last])}. Lines: the row above without the scale and, dashed, divided.` : "Line: the row above.");
}

// showWalks draws the partial sums as they are, divided by √d and by d.
function showWalks() {
  if (!shownWalks) return;
  const { w, d } = shownWalks, last = w.components[w.components.length - 1], octaves = Math.max(1, Math.log2(last));
  drawPanels(find("walks"), 146, [[0, "as they are"], [0.5, "÷ √d"], [1, "÷ d"]].map(([p, title]) => width => {
    const y = w.sums.map(sums => sums.map((s, i) => s / w.components[i] ** p));
    const edge = w.components.map(x => 2 * x ** (0.5 - p));
    const top = Math.max(...edge, ...y.flat().map(Math.abs));
    const X = x => (width * Math.log2(x) / octaves).toFixed(1), Y = v => (68 - 48 * v / top).toFixed(1);
    const path = values => "M" + values.map((v, i) => `${X(w.components[i])},${Y(v)}`).join("L") + (values.length > 1 ? "" : "l0.01,0");
    const mark = d < last ? [createSVG("path", { class: "here", d: `M${X(d)},16V120` }), drawText(X(d), 131, `dₖ = ${d}`, d < 8 ? "start" : d > last / 8 ? "end" : "middle")] : [];
    const ends = [...(d < 64 && d < last ? [] : [drawText(0, 131, "1", "start")]), ...(d > last / 16 && d < last ? [] : [drawText(width, 131, String(last), "end")])];
    return { title: `partial sums ${title}`, parts: [createSVG("path", { class: "line-quiet", d: `M0,68H${width}`, "stroke-width": 0.5 }),
      ...y.map((values, j) => createSVG("path", { class: j ? "walk" : "walk first", d: path(values) })),
      createSVG("path", { class: "envelope", d: path(edge) }), createSVG("path", { class: "envelope", d: path(edge.map(v => -v)) }), ...mark, ...ends,
      drawText(0, 10, `from −${formatNumber(top)} to ${formatNumber(top)}`, "start"), drawText(width / 2, 144, title, "middle")] };
  }));
}

// A change becomes a request, an answer and pictures. Rows are counted after the controls have rested.

const divisors = ["exponent", "rule", "temperature"]; // of which one is given
let valid = { ...defaults, temperature: "" }; // the last valid texts of the fields
let asked = {}, countedRequest = "", timer = 0, row = 0;

// show requests a row and shows it, with a message about an error in the address.
function show(addressFault) {
  moveSliders();
  const r = request(), faults = new Map();
  let answer = JSON.parse(mcsim.answer(JSON.stringify(r)));
  while (answer.fault) { // a field that is not valid counts with its last valid text
    const name = answer.fault.split(":")[0];
    if (!(name in r) || faults.has(name)) { showMessage(answer.fault, true); return; }
    faults.set(name, answer.fault);
    const isDivisor = divisors.includes(name);
    if (isDivisor) delete r[name];
    for (const other of isDivisor ? divisors : [name]) if (valid[other]) r[other] = valid[other];
    answer = JSON.parse(mcsim.answer(JSON.stringify(r)));
  }
  for (const name of textFields) find(name).setAttribute("aria-invalid", String(faults.has(name)));
  valid = { ...r };
  const faultText = [...faults].map(([name, fault]) => `${fault}; the page shows the last valid one`).join(". ");
  showMessage(faultText || addressFault || "", !!(faultText || addressFault));
  asked = r;
  row = answer.row;
  const raw = answer.scalings[0], divided = answer.scalings[answer.scalings.length - 1];
  const [name, colour] = nameDivisor(divided.scaling);
  shownScalings = [raw, divided];
  find("lab").dataset.scale = find("now").dataset.scale = colour;
  find("by-name").textContent = name;
  find("other-divisor").textContent = colour === "other" ? name : ""; // it has no button in the strip
  showRow(find("now"), divided.weights, divided.label);
  showMeasures(raw, divided);
  listKeys(answer.scores, raw, divided);
  shownWalks = { w: answer.walks, d: Number(answer.params.d_k) };
  showWalks();
  const fragment = formatAddress(r), home = document.querySelector("link[rel=canonical]")?.href;
  find("link").value = (home ?? location.href.split("#")[0]) + fragment;
  find("command-line").hidden = !answer.command;
  find("command").value = answer.command;
  if (fragment || readAddress().size) try { history.replaceState(null, "", location.href.split("#")[0] + fragment); } catch { /* not allowed here: the field has the link */ }
  count(r);
}

// count counts rows like the shown one, unless they are counted already.
function count(r) {
  const { row, ...rest } = { ...r, hold: "no" }, text = JSON.stringify(rest);
  if (text === countedRequest) { showCounts(); return; }
  countedRequest = text;
  counted = null;
  mcsim.stop();
  showCounts();
  clearTimeout(timer);
  timer = setTimeout(() => {
    const fault = mcsim.redraw(text, answer => {
      if (countedRequest !== text) return;
      const rows = JSON.parse(answer);
      if (rows.fault) { showMessage(rows.fault, true); return; }
      counted = rows;
      showCounts();
    });
    if (fault) showMessage(JSON.parse(fault).fault, true);
  }, 150);
}

let isWaiting = false;
function showSoon() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; show(); });
}

function listen() {
  const form = find("controls");
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    if (target.type === "range") find(target.dataset.field).value = formatSlider(target);
    const name = target.dataset.field ?? target.id;
    if (name === "exponent" || name === "temperature") document.querySelector(`[name=divisor][value=${name}]`).checked = true;
    showSoon();
  });
  find("resample").addEventListener("click", () => { find("row").value = String(row + 1); showSoon(); });
  find("reset").addEventListener("click", () => {
    history.replaceState(null, "", location.href.split("#")[0]);
    restore();
    showSoon();
  });
  for (const [button, field] of [["copy", "link"], ["copy-command", "command"]]) {
    find(button).addEventListener("click", () => copyField(field));
  }
  const showPictures = () => { showWalks(); showCounts(); };
  addEventListener("resize", showPictures);
  for (const fold of ["counts", "sums"]) find(fold).addEventListener("toggle", showPictures); // it has a width now
  addEventListener("hashchange", () => { if (readAddress().size) show(restore()); });
}

// start runs the program, and shows the lab in place of the picture.
async function start() {
  if (typeof compileProgram !== "function") {
    showMessage("This copy of the report was made without the lab's program. `make report` in mcsim's folder builds it.", true);
    return;
  }
  showMessage("The lab is starting.");
  try {
    defineGo();
    await startProgram(await compileProgram());
  } catch (e) {
    showMessage(`The lab could not start: ${e.message}.`, true);
    return;
  }
  const addressFault = restore();
  listen();
  find("still").hidden = true;
  for (const part of ["controls", "shown"]) find(part).hidden = false;
  show(addressFault);
}

addEventListener("DOMContentLoaded", start); // after program.js
