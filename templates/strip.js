// The strip of the first page: the weights of one row of eight keys, for any d_k and three scales.
// The row is a row of the program: the same random bits, and the same arithmetic in float32.
"use strict";

// The cell softmax/normal/d_k=1024/keys=64, whose first eight keys and d_k components are shown.
const components = 1024, keys = 8, cellHash = 7675920006882981879n, rowsPerBlock = 16;

const float = Math.fround, view = new DataView(new ArrayBuffer(4));
const bitsOf = x => { view.setFloat32(0, x); return view.getUint32(0); };
const floatOf = bits => { view.setUint32(0, bits); return view.getFloat32(0); };

// philox returns the first two words of Philox4x64-10 of a counter.
function philox(key, counter) {
  const mask = (1n << 64n) - 1n;
  let [k0, k1] = key, [c0, c1, c2, c3] = counter;
  for (let round = 0; round < 10; round++) {
    const p0 = 0xD2E7470EE14C6C93n * c0, p1 = 0xCA5A826395121157n * c2;
    [c0, c1, c2, c3] = [(p1 >> 64n) ^ c1 ^ k0, p1 & mask, (p0 >> 64n) ^ c3 ^ k1, p0 & mask];
    k0 = (k0 + 0x9E3779B97F4A7C15n) & mask;
    k1 = (k1 + 0xBB67AE8584CAA73Bn) & mask;
  }
  return [c0, c1];
}

// newLane returns the generator (xoshiro128++) of the lane of a row, a function that returns words.
function newLane(seed, row) {
  const block = Math.floor(row / rowsPerBlock), lane = row % rowsPerBlock;
  const words = philox([BigInt(seed), cellHash], [BigInt(block), BigInt(lane), 0n, 0n]);
  let [a, b, c, d] = words.flatMap(w => [Number(w & 0xffffffffn), Number(w >> 32n)]);
  const rotate = (x, n) => x << n | x >>> 32 - n;
  return () => {
    const word = rotate(a + d | 0, 7) + a >>> 0, e = c ^ a, f = d ^ b;
    [a, b, c, d] = [a ^ f, b ^ e, e ^ b << 9, rotate(f, 11)];
    return word;
  };
}

// horner returns a polynomial at x in float32, by Horner's rule.
const horner = (x, ...coefficients) => coefficients.reduceRight((sum, c) => float(c + float(x * sum)));
const near = (...numbers) => numbers.map(float);
const LOG = near(-2, 1.0000064, -0.6666943, 0.49942574, -0.3981384, 0.34485322, -0.32360208, 0.20167014);
const SIN = near(1, -0.16666655, 0.008332189, -0.00019518292), COS = near(1, -0.49999884, 0.041655716, -0.0013591017);
const minusTwoLn2 = float(-1.3862944), angleUnit = float(3.6572953e-10), rootHalf = 0x3f3504f3;

// minusTwoLog returns −2 ln(x/2³¹).
function minusTwoLog(x) {
  const i = bitsOf(x) - rootHalf - (31 << 23) | 0;
  const f = floatOf((i & 0x7fffff) + rootHalf) - 1, g = float(f * f);
  const pair = k => float(LOG[k] + float(f * LOG[k + 1]));
  let p = float(pair(4) + float(g * pair(6)));
  p = float(pair(2) + float(g * p));
  p = float(pair(0) + float(g * p));
  return float(float((i >> 23) * minusTwoLn2) + float(f * p));
}

// normals fills an array with standard normal numbers, by the method of Box and Muller.
function normals(next, count) {
  const draws = new Float32Array(count);
  for (let i = 0; i < count; i += 2) {
    const radius = float(float(next() >>> 1) + 0.5), angle = next();
    let r = float(Math.sqrt(minusTwoLog(radius)));
    if (angle & 2) r = -r;
    const x = float(float(angle | 0) * angleUnit), z = float(x * x), quadrant = angle & 1;
    const s = float(x * horner(z, ...SIN)), c = horner(z, ...COS);
    draws[i + quadrant] = float(r * c);
    draws[i + 1 - quadrant] = float(r * s);
  }
  return draws;
}

// sampleRow returns the partial sums of q·k, where sums[j][d] adds up the first d products of key j,
// and the lengths of the first d components of q.
function sampleRow(seed, row) {
  const next = newLane(seed, row), q = normals(next, components), squares = new Float32Array(components + 1);
  for (let t = 0; t < components; t++) squares[t + 1] = squares[t] + float(q[t] * q[t]);
  const sums = Array.from({ length: keys }, () => {
    const k = normals(next, components), partial = new Float32Array(components + 1);
    for (let t = 0; t < components; t++) partial[t + 1] = partial[t] + float(q[t] * k[t]);
    return partial;
  });
  return { sums, queryLengths: squares.map(Math.sqrt) };
}

// Measures of a row of weights, as the program defines them.
const concentrationLimit = 0.436508723192004; // the program's limit of Σα² for eight keys
const deadGradient = Math.sqrt(keys - 1) / keys / 256;

function measure(scores, factor, queryLength) {
  const logits = scores.map(s => s * factor), top = Math.max(...logits);
  const terms = logits.map(x => Math.exp(x - top)), total = terms.reduce((a, b) => a + b);
  const weights = terms.map(x => x / total), largest = Math.max(...weights), peak = weights.indexOf(largest);
  const others = weights.reduce((sum, w, j) => j === peak ? sum : sum + w, 0); // 1 − the largest, without cancellation
  let square = 0, jacobian = 0;
  weights.forEach((w, i) => {
    const rest = i === peak ? others : 1 - w;
    square += w * w;
    jacobian += w * w * rest * rest;
    weights.forEach((v, j) => { if (i !== j) jacobian += w * w * v * v; });
  });
  const gradient = factor * queryLength * Math.sqrt(jacobian);
  const label = square <= concentrationLimit ? "spread" : gradient < deadGradient ? "dead" : "concentrated";
  return { weights, label };
}

// The page.

const strip = find("strip");
const field = name => strip.elements[name];
const part = name => strip.querySelector(`.${name}`);
let row = 2583, partialSums, queryLengths;

function show() {
  const d = 2 ** field("d").value, scale = field("scale").value, factor = d ** -Number(scale);
  const scores = partialSums.map(sums => sums[d]), { weights, label } = measure(scores, factor, queryLengths[d]);
  strip.dataset.scale = scale;
  strip.dataset.scores = scores.join(" ");
  strip.dataset.label = label;
  part("dimension").textContent = d;
  field("d").setAttribute("aria-valuetext", `d_k = ${d}`);
  showRow(strip, weights, label);
  part("source").textContent = `One random row: number ${row} of seed 7.`;
  part("source").title = `mcsim probe --keys 64 --d-k 1024 --seed 7 --row ${row} prints the whole row; these are its first 8 keys and d_k components.`;
}

function resample() {
  ({ sums: partialSums, queryLengths } = sampleRow(7, row));
  show();
}

strip.addEventListener("input", show);
strip.addEventListener("submit", event => event.preventDefault());
part("resample").addEventListener("click", () => { row++; resample(); });
resample();
strip.hidden = false;
