// The page of a reader's own model: a form becomes a command line, which the program runs in a worker.

const forms = [find("advise"), find("inspect")];
let program = null; // promise of the compiled program
let worker = null;
let revision = 0; // counts the command lines that were shown

// loadProgram loads and compiles the program when a reader needs it first.
async function loadProgram() {
  await new Promise((resolve, reject) => {
    const missing = new Error("this copy of the report was made without it; `make report` in mcsim's folder builds it");
    const script = createHTML("script", { src: "program.js" });
    script.onload = resolve;
    script.onerror = () => reject(missing);
    document.head.append(script);
  });
  return compileProgram();
}

// listInputs returns the files that a command line names; it finds a config.json next to them itself.
function listInputs() {
  const files = [...find("files").files], indexes = files.filter(file => file.name.endsWith(".index.json"));
  return indexes.length ? indexes : files.filter(file => !file.name.endsWith(".json"));
}

// readWords returns the command line that a form describes.
function readWords(form) {
  const words = [form.id];
  for (const { name, type, checked, value } of form.elements) {
    if (type === "checkbox" && checked) words.push(`--${name}`);
    else if (name && type !== "checkbox" && value.trim()) words.push(`--${name}`, value.trim());
  }
  if (form.id === "inspect") words.push(...listInputs().map(({ name }) => name.startsWith("-") ? `./${name}` : name));
  return words;
}

// quote puts a word of a command line into quotation marks if a shell needs them.
const quote = word => /^[\w.,:=/%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

// stop ends the command that is running, if any.
function stop() {
  worker?.terminate();
  worker = null;
  find("busy").hidden = true;
}

// showCommand shows the command line of a form below it, in place of an earlier answer.
function showCommand(form) {
  revision++;
  stop();
  form.after(find("result"));
  find("result").hidden = false;
  find("answer").hidden = true;
  find("command").value = ["mcsim", ...readWords(form)].map(quote).join(" ");
  for (const field of form.elements) field.removeAttribute("aria-invalid");
  showMessage("");
}

// countColumns returns how many characters fit into a line of the answer.
function countColumns() {
  const context = document.createElement("canvas").getContext("2d"), { font } = getComputedStyle(find("answer"));
  context.font = font;
  return Math.floor(find("calculator").clientWidth / context.measureText("0").width);
}

// showFault shows the error of a form's command line with the names of its fields, and marks these.
function showFault(form, text) {
  const named = text.replace(/--([a-z-]+)/g, (flag, name) => {
    form.elements[name]?.setAttribute("aria-invalid", "true");
    return form.elements[name] ? name.replace("-", "_") : flag;
  });
  showMessage(named.replace(/^mcsim: /, ""), true);
}

// run runs the command line of a form, and shows what it prints.
async function run(form) {
  showCommand(form);
  if (form.id === "inspect" && listInputs().length === 0) {
    showMessage("Choose a file first, such as qk.npz or model.safetensors.", true);
    return;
  }
  showMessage("The program is loading.");
  const shownRevision = revision;
  try {
    program ??= loadProgram();
    const module = await program, start = performance.now();
    if (revision !== shownRevision) return; // the form changed while the program was loading
    showMessage("The program is running. Its one thread may take some seconds.");
    find("busy").hidden = false;
    worker = runCommand(module, readWords(form), countColumns(), [...find("files").files], ({ code, output, errors }) => {
      stop();
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      if (code === 2) showFault(form, errors);
      else showMessage(`Done in ${seconds} seconds.`);
      find("answer").textContent = output;
      find("answer").hidden = !output;
    });
  } catch (e) {
    program = null;
    if (revision === shownRevision) showMessage(`The program could not start: ${e.message}.`, true);
  }
}

for (const form of forms) {
  form.addEventListener("submit", event => {
    event.preventDefault();
    run(form);
  });
  form.addEventListener("input", () => showCommand(form));
}
const dropZone = document.querySelector(".drop");
addEventListener("dragover", event => { // a file that misses the zone must not replace the page
  event.preventDefault();
  dropZone.classList.toggle("over", dropZone.contains(event.target));
});
addEventListener("drop", event => {
  event.preventDefault();
  dropZone.classList.remove("over");
  if (!event.dataTransfer.files.length) return;
  find("files").files = event.dataTransfer.files;
  run(find("inspect"));
});
find("files").addEventListener("change", () => run(find("inspect")));
find("stop").addEventListener("click", () => { stop(); showMessage("Stopped."); });
find("copy-command").addEventListener("click", () => copyField("command"));

// simplify returns a name in small letters without spaces and dashes, so that llama3 finds Llama-3 8B.
const simplify = name => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

// addFilter adds a field that filters the table of released models by their names.
function addFilter() {
  const fold = find("table-released-models").closest("details"), rows = [...fold.querySelectorAll("tbody tr")];
  const field = createHTML("input", { id: "filter", type: "search", autocomplete: "off" });
  const count = createHTML("span", { role: "status" });
  field.addEventListener("input", () => {
    const name = simplify(field.value);
    for (const row of rows) row.hidden = !simplify(row.cells[0].textContent).includes(name);
    const found = rows.filter(row => !row.hidden).length;
    count.textContent = found ? `${found} of ${rows.length} models` : "No model has this name.";
    fold.open = found > 0;
  });
  const label = createHTML("label", { for: "filter" }, "Find a model");
  fold.before(createHTML("p", { class: "filter" }, label, field, count));
}

find("still").hidden = true;
for (const form of forms) form.hidden = false;
addEventListener("DOMContentLoaded", addFilter);
