// Starts the lab: what runs here and what computes come packed.
"use strict";
var compiled, script; // the module of the worker, and what runs it: promises
(async () => {
  const old = document.getElementById("old");
  const say = (...words) => { old.textContent = words.join(" "); };
  if (location.protocol == "file:") return say("From a file a browser starts no worker. Serve this folder: schedmath lab does, or any web server, such as python3 -m http.server.");
  if (!window.DecompressionStream || !window.WebAssembly) return say("The lab takes a browser of 2023 or later: Chrome or Edge 86, Firefox 113, Safari 16.4.");

  // unpacked fetches a gzip file, which some servers unpack themselves.
  async function unpacked(name) {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes[0] != 0x1f || bytes[1] != 0x8b) return new Response(bytes);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  }
  compiled = unpacked("worker.wasm.gz").then(r => WebAssembly.compileStreaming(new Response(r.body, {headers: {"Content-Type": "application/wasm"}})));
  script = unpacked("worker.js.gz").then(r => r.text()).then(s => URL.createObjectURL(new Blob([s], {type: "text/javascript"})));
  for (const promise of [compiled, script]) promise.catch(() => {}); // said when it is awaited
  try {
    const shown = document.createElement("script"); // whose checksum the page's policy has
    shown.textContent = await (await unpacked("page.js.gz")).text();
    document.head.append(shown);
  } catch (error) { return say("The lab does not start: " + error.message); }
})();
