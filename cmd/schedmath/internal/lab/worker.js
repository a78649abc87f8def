// Behind Go's wasm_exec.js it runs the library: waits for the compiled module, then for logs and questions.
let log; // read: a promise
onmessage = async ({data}) => {
  if (data.module) {
    const go = new Go();
    go.env.GODEBUG = "gcstoptheworld=1"; // on one thread nothing collects beside the run, and memory would grow without end
    go.env.GOGC = "50"; // a browser gives memory back to nobody
    go.run(await WebAssembly.instantiate(data.module, go.importObject));
  } else if (data.attach != null) {
    log = data.file.arrayBuffer().then(text => attach(data.attach, new Uint8Array(text)));
  } else {
    await log;
    ask(data.ask);
  }
};
