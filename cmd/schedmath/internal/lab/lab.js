// The lab: a log is dropped, and questions about it are answered by a worker. Nothing leaves the machine.
"use strict";
(async () => {
  const main = document.querySelector("main");
  const {element} = page;

  // The worker: one at a time. ask ends what the last one still does.
  let worker = null, busy = null, log = {name: "", file: new Blob(), number: 0}; // no name: the synthetic day
  async function begin() {
    const module = await compiled, w = new Worker(await script);
    await new Promise((done, failed) => {
      w.onmessage = done;
      w.onerror = e => failed(new Error(e.message || "the worker does not start"));
      w.postMessage({module});
    });
    w.postMessage({attach: log.name, file: log.file});
    return w;
  }
  function cancel() {
    if (busy) { worker?.terminate(); worker = null; busy.status("Cancelled."); busy.end(); busy = null; }
  }
  async function ask(request, tab, hear) {
    cancel();
    const mine = busy = {status: tab.status, end: () => tab.running(false)};
    tab.running(true);
    try {
      if (!worker) { tab.status("Starting …"); worker = await begin(); }
      if (busy != mine) return;
      tab.status("");
      worker.onerror = e => { hear({error: e.message || "the worker has ended: it may lack memory", end: true}); worker = null; };
      const ended = new Promise(done => { mine.end = () => { tab.running(false); done(); }; });
      worker.onmessage = e => {
        if (busy != mine) return;
        const answer = JSON.parse(e.data);
        if (answer.error) tab.status(answer.error, true);
        else if (answer.total) tab.progress(answer.what, answer.done, answer.total);
        hear(answer);
        if (answer.end) { busy = null; if (!answer.error) tab.status(""); mine.end(); }
      };
      worker.postMessage({ask: JSON.stringify(request)});
      await ended;
    } catch (error) {
      if (busy == mine) { busy = null; tab.status(error.message, true); tab.running(false); }
    }
  }

  // merged is work that is done once more, however often it is asked for while it is done.
  function merged(work) {
    let working = false, again = false;
    return async () => {
      again = true;
      if (working) return;
      for (working = true; again;) { again = false; await work(); }
      working = false;
    };
  }

  // The settings are in the fragment: flags, which tabs share, the tab and the sample, never the log.
  const state = new URLSearchParams(location.hash.slice(1));
  function keep(key, value) {
    if (value) state.set(key, value); else state.delete(key);
    history.replaceState(null, "", "#" + state);
  }

  const common = [["by", "Whose jobs", ["", "user", "team", "queue"]], ["resource", "Resource", "cpu"], ["from", "From", "2026-03-01"], ["to", "To", "2026-03-08"], ["zone", "Time zone", "UTC"]];
  const forms = {
    whatif: [["model", "Model", ["", "slots", "fluid"]], ["machines", "Machines of 4 processors", "as needed"], ["warm", "Warm-up before From", "none, or 30d"], ["load", "Load", "as it came"], ["sigma", "Error of sizes (fluid)", "0"], ...common],
    audit: [["capacity", "Capacity", "as the log says"], ["window", "Longest window", "any, or 24h"], ...common],
    when: [["machines", "Machines of 4 processors", "as needed"], ...common],
    play: [],
  };
  const titles = {whatif: "What would a policy do", audit: "Was it fair", when: "When will it start", play: "Play"};
  const tabs = {};

  // args are the flags of a tab's form.
  const args = name => forms[name].map(([flag]) => flag).filter(flag => state.get(flag)).map(flag => `-${flag}=${state.get(flag)}`);
  // asked tells for what a tab has been shown.
  const asked = name => name == "play" ? name : [log.number, ...args(name)].join(" ");

  for (const name of Object.keys(forms)) {
    const status = element("p", {role: "status", className: "soft"}), bar = element("progress", {hidden: true, max: 1, "aria-label": "Progress"});
    const result = element("div", {className: "result"});
    const go = element("button", {type: "submit"}, "Run"), stop = element("button", {type: "button", disabled: true, onclick: cancel}, "Cancel");
    const fields = forms[name].map(([flag, label, kind]) => {
      const id = name + "-" + flag, value = state.get(flag) || "";
      const input = Array.isArray(kind) ? element("select", {id, name: flag}, ...kind.map(v => element("option", {value: v, selected: v == value}, v || "default"))) : element("input", {id, name: flag, value, placeholder: kind, size: 14});
      input.onchange = () => {
        keep(flag, input.value.trim());
        for (const same of main.querySelectorAll(`[name=${flag}]`)) same.value = input.value;
      };
      return element("label", null, label + " ", input);
    });
    const boxes = element("div", {className: "row"});
    const form = element("form", {onsubmit: e => { e.preventDefault(); start(name); }}, element("div", {className: "row"}, ...fields), boxes, element("div", {className: "row"}, go, stop));
    if (name == "play") form.hidden = true;
    const panel = element("section", {id: "panel-" + name, role: "tabpanel", "aria-labelledby": "tab-" + name, hidden: true}, form, bar, status, result);
    const button = element("button", {id: "tab-" + name, type: "button", role: "tab", "aria-controls": panel.id, onclick: () => choose(name)}, titles[name]);
    tabs[name] = {
      name, panel, button, boxes, result, shown: null,
      running(on) { stop.disabled = !on; if (!on) bar.hidden = true; },
      status(text, wrong) { status.textContent = text; status.className = wrong ? "wrong" : "soft"; },
      progress(what, done, total) { bar.hidden = false; bar.max = total; bar.value = done || 0; status.textContent = `${what}: ${done || 0} of ${total}`; },
    };
  }
  const order = Object.keys(tabs);
  function start(name) {
    tabs[name].shown = asked(name);
    return run[name]();
  }
  function choose(name) {
    for (const t of Object.values(tabs)) {
      t.panel.hidden = t.name != name;
      t.button.setAttribute("aria-selected", t.name == name);
      t.button.tabIndex = t.name == name ? 0 : -1;
    }
    keep("tab", name == "whatif" ? "" : name);
    if (tabs[name].shown != asked(name)) start(name);
  }

  // show draws a document below a line that copies its command; text is what the terminal has.
  function show(tab, d, text) {
    const at = scrollY;
    const copy = d.command && element("button", {type: "button", onclick: async () => {
      await navigator.clipboard.writeText(d.command);
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy as command"; }, 1500);
    }}, "Copy as command");
    page.show(tab.result, d);
    if (copy) tab.result.querySelector("code").after(" ", copy);
    Object.assign(tab, {document: d, text});
    scrollTo(0, at);
  }

  const trace = () => log.name ? ["-trace=" + log.name] : [];
  // run answers the question of a tab.
  const run = {
    whatif() {
      const tab = tabs.whatif, chosen = state.get("policies"), list = args("whatif");
      if (chosen) list.push("-policies=" + chosen);
      list.push(...trace());
      return ask({ask: "whatif", args: list}, tab, a => {
        if (a.policies) choices(tab, a.policies, chosen ? chosen.split(",") : a.policies);
        if (a.document) show(tab, a.document, a.text);
      });
    },
    audit() {
      const tab = tabs.audit;
      if (!log.name) return tab.status("The synthetic day has no users: drop a log, or choose another sample.", true);
      return ask({ask: "audit", args: [...args("audit"), log.name]}, tab, a => { if (a.document) show(tab, a.document, a.text); });
    },
    when() {
      const tab = tabs.when;
      const list = [...args("when"), ...trace()], drawn = element("div"), now = element("output", {for: "when-at"});
      const slider = element("input", {id: "when-at", type: "range", min: 0, max: 1, step: .001});
      const move = merged(() => ask({ask: "when", args: list, at: state.has("at") ? Number(state.get("at")) : null}, tab, a => {
        if (!a.document) return;
        if (!state.has("at")) slider.value = a.at;
        slider.setAttribute("aria-valuetext", now.textContent = a.document.title);
        const article = page.article("when", a.document.pictures[0], new Set());
        drawn.replaceChildren(...a.document.summary.map(s => element("p", {className: "summary"}, s)), article);
        article.redraw();
      }));
      slider.value = state.get("at") || .5;
      slider.oninput = () => { keep("at", slider.value); move(); };
      tab.result.replaceChildren(element("h1", null, titles.when), element("div", {className: "wide"}, element("label", {for: "when-at"}, "It is now "), now, slider,
        element("p", {className: "soft"}, "From the first job that came to the last: the slider begins where most jobs wait. A forecast knows who runs and who waits at that time; a cross says when the job did start.")), drawn);
      return move();
    },
    play() {
      const tab = tabs.play;
      const sigma = element("input", {id: "play-sigma", type: "range", min: 0, max: 2, step: .1, value: state.get("play.sigma") || 0}), told = element("output", {for: "play-sigma"});
      const time = element("input", {id: "play-time", type: "range", min: 0, max: 1, step: .001, value: 1});
      const drawn = element("div", {className: "drawn panels"}), words = element("p", {className: "summary"});
      let seed = Number(state.get("play.seed") || 28), d = null, timer = 0;
      const draw = () => {
        if (!d || drawn.clientWidth == 0) return;
        const p = d.pictures[0], t = p.table, start = t.columns.indexOf("start"), end = t.columns.indexOf("end");
        const now = d3.max(t.rows, r => r[end]) * time.value;
        const rows = t.rows.filter(r => r[start] < now).map(r => r.map((x, k) => k == end ? Math.min(x, now) : x));
        drawn.replaceChildren(...page.charts.gantt(p, page.objects({...t, rows}), p.series, drawn.clientWidth > 700 ? 380 : drawn.clientWidth));
      };
      const get = merged(() => ask({ask: "play", sigma: Number(sigma.value), seed}, tab, a => { if (a.document) { d = a.document; words.textContent = d.summary[0]; draw(); } }));
      const change = () => {
        told.textContent = ` sigma ${sigma.value}`;
        keep("play.sigma", sigma.value == 0 ? "" : sigma.value);
        keep("play.seed", seed == 28 ? "" : seed);
        return get();
      };
      const step = () => {
        time.value = Number(time.value) + .005;
        draw();
        if (time.value == 1) play.onclick();
      };
      const play = element("button", {type: "button", onclick: () => {
        if (!timer && time.value == 1) time.value = 0;
        timer = timer ? clearInterval(timer) : setInterval(step, 60);
        play.textContent = timer ? "Pause" : "Play";
      }}, "Play");
      sigma.oninput = change;
      time.oninput = draw;
      new ResizeObserver(() => requestAnimationFrame(draw)).observe(drawn);
      tab.result.replaceChildren(element("h1", null, "Twelve jobs on four slots"),
        element("div", {className: "wide"}, element("label", {for: "play-sigma"}, "Error of the estimates:"), told, sigma),
        element("div", {className: "wide"}, element("label", {for: "play-time"}, "Time:"), time),
        element("div", {className: "row"}, play, element("button", {type: "button", onclick: () => { seed++; change(); }}, "Other jobs")), words, drawn,
        element("p", {className: "soft"}, "fair serves the user who has least, srpt the job with the least estimated work first, aging the one that an imagined cluster, shared fairly, would end first by the estimates, and easy plans by them. Drag the error up and see who holds. The first twelve are chosen to show it; others may not."));
      return change();
    },
  };

  // choices are the policies that the next run is of.
  function choices(tab, all, chosen) {
    const off = new Set(all.filter(name => !chosen.includes(name)));
    tab.boxes.replaceChildren(...page.boxes(all, off, () => keep("policies", off.size > 0 ? all.filter(name => !off.has(name)).join(",") : "")));
  }

  // A log: a file that was dropped or chosen, or a sample.
  const samples = {queue: ["Sample: a queue of 12 jobs", "queue.csv"], day: ["Sample: a synthetic day on one fluid server", ""], lublin: ["Sample: a synthetic log of Lublin and Feitelson", "lublin.tsv.gz"]};
  const named = element("span", {id: "log"});
  function read(name, file, label) {
    cancel();
    log = {name, file, number: log.number + 1};
    worker?.postMessage({attach: name, file});
    named.replaceChildren(label, name ? `, ${page.short(file.size / 1000)} kB` : "");
    for (const t of Object.values(tabs)) if (t.name != "play") { t.result.replaceChildren(); t.status(""); }
    choose(state.get("tab") || "whatif");
  }
  // take reads a log that comes later, as a promise.
  async function take(name, file, label) {
    try { read(name, await file, label); } catch (error) { named.textContent = `${name} cannot be read: ${error.message}`; }
  }
  function sample(name) {
    keep("sample", name == "queue" ? "" : name);
    const from = samples[name][1];
    return from ? take(from, fetch(from).then(r => r.blob()), element("a", {href: from, download: from}, from)) : read("", new Blob(), "made here");
  }
  // another forgets the settings that were for the log before.
  function another() {
    for (const key of ["sample", "policies", "at"]) keep(key, "");
    if (state.get("tab") == "play") keep("tab", "");
  }
  function drop(f) {
    if (!f) return;
    another();
    select.value = "";
    take(f.name, f.arrayBuffer().then(text => new Blob([text])), f.name); // as it is now
  }
  const select = element("select", {"aria-label": "A sample", onchange: () => { if (select.value) { another(); sample(select.value); } }},
    element("option", {value: ""}, "A file of yours"), ...Object.entries(samples).map(([k, [label]]) => element("option", {value: k, selected: k == (state.get("sample") || "queue")}, label)));
  const chosen = element("input", {type: "file", id: "file", onchange: () => drop(chosen.files[0])});
  const zone = element("div", {className: "zone"}, element("label", {for: "file"}, "Drop a log here, or choose one: "), chosen, " ", select, " ", named,
    element("p", {className: "soft"}, "SWF, what sacct -P or kubectl get -o json printed, or a table (CSV or tabs), plain or gzip. Nothing leaves this machine: the log is read in this page, and the link keeps the settings alone."));
  addEventListener("dragover", e => { e.preventDefault(); zone.classList.add("over"); });
  addEventListener("dragleave", () => zone.classList.remove("over"));
  addEventListener("drop", e => { e.preventDefault(); zone.classList.remove("over"); drop(e.dataTransfer.files[0]); });
  const list = element("nav", {role: "tablist", "aria-label": "Questions"}, ...order.map(n => tabs[n].button));
  list.onkeydown = e => {
    const d = {ArrowRight: 1, ArrowLeft: -1}[e.key];
    if (!d) return;
    const next = order[(order.indexOf(state.get("tab") || "whatif") + d + order.length) % order.length];
    choose(next);
    tabs[next].button.focus();
  };
  main.replaceChildren(element("header", null, element("h1", null, "schedmath lab")), zone, list, ...order.map(n => tabs[n].panel));
  window.lab = {tabs, state}; // for tests
  await sample(samples[state.get("sample")] ? state.get("sample") : "queue");
})();
