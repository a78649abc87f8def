// Behind Go's wasm_exec.js it runs the library: waits for the compiled module, then for logs and questions.
onmessage = async ({data}) => {
  if (data.module) {
    const go = new Go();
    go.env.GODEBUG = "gcstoptheworld=1"; // on one thread nothing collects beside the run, and memory would grow without end
    go.run(await WebAssembly.instantiate(data.module, go.importObject));
  } else if (data.attach != null) {
    attach(data.attach, data.bytes);
  } else {
    ask(data.ask);
  }
};
