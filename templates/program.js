// The program of the pages lab.html and models.html: packedProgram has its bytes, and defineGo has
// the runtime of Go. A page can run it itself, or run command lines in a worker.

// compileProgram unpacks and compiles the program.
async function compileProgram() {
  if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
    throw new Error("it needs a browser with WebAssembly and DecompressionStream; those since 2023 have both");
  }
  const text = atob(packedProgram), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

// startProgram runs a compiled program, which then offers its functions in the object mcsim.
async function startProgram(module) {
  const go = new Go();
  go.run(await WebAssembly.instantiate(module, go.importObject));
}

// serveFiles lets the program of a worker read the given files, in parts, by their names.
function serveFiles(files) {
  const times = { atimeMs: 0, mtimeMs: 0, ctimeMs: 0 };
  const unknown = { ...times, dev: 0, nlink: 0, uid: 0, gid: 0, rdev: 0, blksize: 0, blocks: 0 };
  const folder = { ...unknown, isDirectory: () => true, mode: 0o40755, size: 0, ino: 0 };
  const opened = [null, null, null]; // the standard files have the first numbers
  const find = path => path === "." ? folder : files.find(file => file.name === path.replace(/^\.?\//, ""));
  const describe = file => file === folder ? folder :
    { ...unknown, isDirectory: () => false, mode: 0o100444, size: file.size, ino: files.indexOf(file) + 1 };
  const missing = Object.assign(new Error("there is no such file"), { code: "ENOENT" });
  const respond = (file, callback, result) => file ? callback(null, result(file)) : callback(missing);
  const stat = (path, callback) => respond(find(path), callback, describe);
  Object.assign(globalThis.fs, {
    stat, lstat: stat,
    open: (path, flags, mode, callback) => respond(find(path), callback, file => opened.push({ file, next: 0 }) - 1),
    fstat: (number, callback) => callback(null, describe(opened[number].file)),
    readdir: (path, callback) => callback(null, files.map(file => file.name)),
    close: (number, callback) => callback(null),
    async read(number, buffer, offset, length, position, callback) {
      const reader = opened[number], start = position ?? reader.next; // null: where the last part ended
      try {
        const part = await reader.file.slice(start, start + length).arrayBuffer();
        buffer.set(new Uint8Array(part), offset);
        if (position === null) reader.next += part.byteLength;
        callback(null, part.byteLength);
      } catch (e) {
        callback(Object.assign(e, { code: "EIO" }));
      }
    },
  });
}

// runCommand runs a command line in a worker, where it may read the given files, and breaks its lines
// after so many columns. It returns the worker; show gets the exit code and the texts on the standard
// output and the standard error.
function runCommand(module, words, columns, files, show) {
  const listen = () => {
    onmessage = async ({ data: { module, words, columns, files } }) => {
      serveFiles(files);
      await startProgram(module);
      mcsim.run(words, columns, (code, output, errors) => postMessage({ code, output, errors }));
    };
  };
  const source = `"use strict";${defineGo};${startProgram};${serveFiles};defineGo();(${listen})();`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address);
  const fail = text => show({ code: 2, output: "", errors: text });
  worker.onmessage = event => show(event.data);
  worker.onerror = event => fail(`The program stopped: ${event.message}`);
  worker.postMessage({ module, words, columns, files });
  URL.revokeObjectURL(address);
  return worker;
}
