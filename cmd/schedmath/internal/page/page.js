// Draws a document, as docs/trace.md describes it. What a log holds is only ever text here, never markup.
"use strict";
var page = (() => {
  // element makes one: properties of it, and children that are elements or text.
  function element(name, properties, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(properties || {})) {
      if (key.includes("-") || key == "role" || key == "for" || key == "scope") e.setAttribute(key, value);
      else e[key] = value;
    }
    e.append(...children.filter(c => c != null));
    return e;
  }

  const digits = new Intl.NumberFormat("en", {maximumSignificantDigits: 4, useGrouping: false});
  const compact = new Intl.NumberFormat("en", {maximumSignificantDigits: 2, notation: "scientific"});
  // short writes a number for people.
  function short(x) {
    if (x == null) return "–";
    if (typeof x != "number") return String(x);
    if (Math.abs(x) >= 1e6) return compact.format(x).toLowerCase();
    return Math.abs(x) >= 1e4 ? x.toFixed(0) : digits.format(x);
  }
  // instant writes a number or a time of an axis.
  const instant = x => x instanceof Date ? x.toISOString().slice(0, 16).replace("T", " ") : short(x);

  // table lists rows of words and numbers.
  function table(columns, text, rows, label, units = {}) {
    const cell = (x, k) => k == 0 ? element("th", {scope: "row", className: text > 0 ? "word" : ""}, short(x))
      : element("td", {className: k < text ? "word" : ""}, short(x));
    return element("div", {className: "scroll", role: "region", tabIndex: 0, "aria-label": "Table: " + label},
      element("table", null,
        element("thead", null, element("tr", null, ...columns.map((c, k) => element("th", {scope: "col", className: k < text ? "word" : ""}, c, units[c] ? element("span", null, units[c]) : null)))),
        element("tbody", null, ...rows.map(row => element("tr", null, ...row.map(cell))))));
  }

  function save(name, type, content) {
    const url = URL.createObjectURL(new Blob([content], {type}));
    element("a", {href: url, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  function tsv(t) {
    const cell = x => x == null ? "NA" : String(x).replace(/[\t\r\n]+/g, " ");
    return [t.columns, ...t.rows].map(row => row.map(cell).join("\t")).join("\n") + "\n";
  }

  // picture is all charts of a drawing as one SVG, with their headings and legends.
  function picture(drawn, title) {
    const make = name => document.createElementNS("http://www.w3.org/2000/svg", name);
    const set = (e, attributes) => { for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); };
    const out = make("svg");
    const say = (x, y, words, size) => {
      const text = make("text");
      set(text, {x, y, fill: "#000", "font-size": size});
      text.textContent = words;
      out.append(text);
    };
    const put = (svg, x, y, width, height) => {
      const copy = svg.cloneNode(true);
      set(copy, {x, y, width, height});
      out.append(copy);
    };
    let top = 30, wide = 0;
    say(10, 20, title, 15);
    for (const item of drawn.querySelectorAll("h3, [class*=swatches], svg")) {
      if (item.parentElement.closest("[class*=swatches], svg")) continue;
      if (item.matches("svg")) {
        const {width, height} = item.viewBox.baseVal;
        put(item, 0, top, width, height);
        top += height + 10;
        wide = Math.max(wide, width);
      } else if (item.matches("h3")) {
        say(10, top + 16, item.textContent, 12);
        top += 22;
      } else {
        let x = 10;
        for (const entry of item.querySelectorAll("span")) {
          put(entry.querySelector("svg"), x, top, 12, 12);
          say(x + 16, top + 11, entry.textContent, 12);
          x += 36 + 7 * entry.textContent.length;
        }
        wide = Math.max(wide, x);
        top += 20;
      }
    }
    set(out, {width: wide, height: top, color: "#000", "font-family": "system-ui, sans-serif", style: "background: #fff; --plot-background: #fff"});
    return new XMLSerializer().serializeToString(out);
  }

  // axis is the scale of an axis, with what values there are on it.
  function axis(a, values, more) {
    const scale = {label: a.label || null, grid: true, ...more};
    if (a.date) return {...scale, type: "utc"};
    if (!a.log) return scale;
    const above = values.filter(x => x > 0);
    if (above.length == 0) return scale;
    return {...scale, type: "log", domain: d3.extent(above), clamp: true, nice: true, tickFormat: x => short(x)};
  }
  const at = (a, x) => a.date && x != null ? new Date(1000 * x) : x;
  const colors = [...d3.schemeObservable10, "currentColor", "#8c6d00", "#008080"];
  const palette = i => colors[i % colors.length];

  // objects are the rows by the names of their columns.
  const objects = t => t.rows.map(row => Object.fromEntries(row.map((x, k) => [t.columns[k], x])));

  // panel is a chart below its name.
  const panel = (name, chart) => element("div", null, element("h3", null, name), chart);
  const legend = series => ({legend: true, domain: series.map(s => s.name), range: series.map(s => palette(s.place))});
  const left = (names, width) => Math.min(width / 3, 20 + 7 * d3.max(names.map(n => String(n).length)) || 40);
  // named is the layout of a chart that has a name on each line.
  const named = (p, names, width) => ({width, height: 60 + 22 * names.length, marginLeft: left(names, width), x: axis(p.x, []), y: {label: null, domain: names, type: "point", padding: .6}});

  // charts are the drawings of a picture: each a function of the picture, the rows, the series that are
  // shown and the width, which returns elements.
  const charts = {
    dots(p, rows, series, width) {
      const name = p.table.columns[0];
      const list = rows.flatMap(r => series.map(s => ({name: r[name], series: s.name, x: r[s.columns[0]]}))).filter(d => d.x != null);
      const x = axis(p.x, list.map(d => d.x)), {domain, range} = legend(series);
      if (x.domain) for (const d of list) d.x = Math.max(d.x, x.domain[0]);
      return [plot(p, {...named(p, [...new Set(rows.map(r => r[name]))], width), x, color: {domain, range}, symbol: {legend: true, domain}, marks: [
        Plot.ruleY(list, Plot.groupY({x1: "min", x2: "max"}, {y: "name", x: "x", strokeOpacity: .35})),
        Plot.dot(list, {x: "x", y: "name", stroke: "series", symbol: "series", r: 4, strokeWidth: 1.8, tip: true, title: d => `${d.name}\n${d.series}: ${short(d.x)}`}),
      ]})];
    },
    curves: (p, rows, series, width) => lines(p, rows, series, width, false),
    across: (p, rows, series, width) => lines(p, rows, series, width, true),
    panels(p, rows, series, width) {
      const time = p.table.columns[0];
      return steps(p, series.map(s => [s.name, s.columns.length > 1 ? s.columns : [s.name], points(p, rows, time, s.columns)]), width);
    },
    steps(p, rows, series, width) {
      const [name, time, ...columns] = p.table.columns;
      return steps(p, series.map(s => [s.name, columns, points(p, rows.filter(r => r[name] == s.name), time, columns)]), width);
    },
    intervals(p, rows, series, width) {
      const [y, other] = p.table.columns, [x, x1, x2] = series[0].columns;
      return [...d3.group(rows, r => r[other])].map(([rival, list]) => panel("against " + rival, plot(p, {...named(p, list.map(r => r[y]), width), marks: [
        Plot.ruleX([0]), Plot.ruleY(list, {y, x1, x2, stroke: palette(0), strokeWidth: 2}),
        Plot.dot(list, {x, y, fill: palette(0), tip: true, title: r => `${r[y]}: ${short(r[x])}, ${short(r[x1])} to ${short(r[x2])}`}),
      ]}, rival)));
    },
    foretold(p, rows, series, width) {
      const y = p.table.columns[0], [x, x1, x2, started] = series[0].columns;
      if (rows.length == 0) return [];
      return [plot(p, {...named(p, rows.map(r => r[y]), width), color: {legend: true, domain: ["forecast: median and 90% interval", "started"], range: [palette(0), palette(1)]}, marks: [
        Plot.ruleX([0]), Plot.ruleY(rows, {y, x1, x2, stroke: palette(0), strokeWidth: 3, strokeOpacity: .4}), Plot.dot(rows, {x, y, stroke: palette(0)}),
        Plot.dot(rows.filter(r => r[started] != null), {x: started, y, symbol: "times", stroke: palette(1), strokeWidth: 2}),
        Plot.tip(rows, Plot.pointerY({x, y, title: r => `${r[y]}, ${r.user}: ${r.processors} processors\n${p.x.label}: ${short(r[x1])} to ${short(r[x2])}, median ${short(r[x])}\nstarted: ${short(r[started])}`})),
      ]})];
    },
    gantt(p, rows, series, width) {
      const all = objects(p.table), most = d3.max(all, r => r.lane + r.lanes) || 1, users = [...new Set(all.map(r => r.user))];
      const x = {...axis(p.x, [], {grid: false}), domain: d3.extent(all.flatMap(r => [r.start, r.end]), t => at(p.x, t))};
      return series.map(s => {
        const list = rows.filter(r => r[p.table.columns[0]] == s.name);
        return panel(s.name, plot(p, {width, height: Math.min(330, 60 + Math.max(60, 12 * most)), marginLeft: 45, x, y: {label: p.y.label, domain: [0, most], ticks: Math.min(6, most)},
          color: {domain: users, range: users.map((_, k) => palette(k))}, marks: [
            Plot.rect(list, {x1: r => at(p.x, r.start), x2: r => at(p.x, r.end), y1: "lane", y2: r => r.lane + r.lanes, fill: "user", fillOpacity: .75, inset: .3, clip: true, tip: true,
              title: r => `${r.job}${r.user ? ", " + r.user : ""}\n${r.processors} processors\nwaits ${short(r.waits)} s, runs ${short(r.runs)} s`}),
            all.length < 200 ? Plot.text(list, {x: r => at(p.x, (r.start + r.end) / 2), y: r => r.lane + r.lanes / 2, text: "job", fontSize: 10, clip: true}) : null,
          ]}, s.name));
      });
    },
    matrix(p, rows, series, width) {
      const [y, x, amount] = p.table.columns, columns = [...new Set(rows.map(r => r[x]))], names = [...new Set(rows.map(r => r[y]))];
      const most = d3.max(rows, r => r[amount]) || 1;
      return [plot(p, {width: Math.max(width, Math.min(1200, 30 * columns.length + 200)), height: 110 + 22 * names.length, marginLeft: left(names, width), marginTop: 90, marginBottom: 20,
        x: {label: null, axis: "top", tickRotate: -45, domain: columns}, y: {label: null, domain: names}, color: {type: "linear", scheme: "oranges", domain: [0, most]}, marks: [
          Plot.cell(rows, {x, y, fill: amount, inset: .5, tip: true, title: r => `${r[y]} is owed ${short(r[amount])}\n${r[x]} had it`}),
          Plot.text(rows, {x, y, text: r => short(Number(r[amount].toPrecision(2))), fontSize: 9, fill: r => r[amount] > .6 * most ? "#fff" : "#000"}),
        ]})];
    },
    table: () => [],
  };

  // points are those of some columns over a time.
  const points = (p, rows, time, columns) => rows.flatMap(r => columns.map((c, k) => ({x: at(p.x, r[time]), y: r[c], k})));
  // steps are panels: of each its name, what it shows, and the points of that.
  function steps(p, panels, width) {
    const kinds = panels.length > 0 && panels[0][1].length > 1 ? p.y.label.split(", ") : [], color = {domain: d3.range(2), range: d3.range(2).map(palette)};
    const grid = panels.map(([name, columns, list]) => panel(name, plot(p, {width: width > 700 ? 380 : width, height: 126, marginLeft: 45, marginTop: 8, marginBottom: 36,
      x: axis(p.x, [], {ticks: 4, grid: false}), y: axis(p.y, [], {ticks: 4, zero: true, label: null}), color, marks: [
        Plot.areaY(list, {x: "x", y1: 0, y2: "y", z: "k", fill: "k", fillOpacity: .25, curve: "step-after"}),
        Plot.lineY(list, {x: "x", y: "y", z: "k", stroke: "k", strokeWidth: 1.2, curve: "step-after"}),
        Plot.tip(list, Plot.pointerX({x: "x", y: "y", title: d => `${columns[d.k]}\n${instant(d.x)}: ${short(d.y)}`})),
      ]}, name)));
    return [kinds.length ? Plot.legend({color: {domain: kinds, range: color.range}}) : null, element("div", {className: "panels"}, ...grid)];
  }

  // lines are curves over the first column, or with it upward.
  function lines(p, rows, series, width, across) {
    const name = p.table.columns[0], a = across ? p.x : p.y;
    const list = series.flatMap(s => rows.map(r => ({name: s.name, arg: r[name], value: r[s.columns[0]]}))).filter(d => d.value != null);
    const scale = axis(a, list.map(d => d.value));
    if (scale.domain) for (const d of list) d.value = Math.max(d.value, scale.domain[0]);
    const [x, y] = across ? ["value", "arg"] : ["arg", "value"];
    const few = rows.length <= 20, whole = few && !across ? {ticks: rows.length, tickFormat: "d", grid: false} : {};
    return [plot(p, {width, height: Math.min(420, Math.max(260, width * .45)), marginLeft: 55, x: across ? scale : axis(p.x, [], whole), y: across ? axis(p.y, []) : scale, color: legend(series), marks: [
      Plot.line(list, {x, y, z: "name", stroke: "name", strokeWidth: 1.6}),
      few ? Plot.dot(list, {x, y, fill: "name", r: 2.5}) : null,
      Plot.tip(list, Plot.pointer({x, y, title: d => `${d.name}\n${name} ${short(d.arg)}: ${short(d.value)}`})),
    ]})];
  }

  function plot(p, options, panel) {
    return Plot.plot({ariaLabel: p.title + (panel ? ", " + panel : ""), ariaDescription: p.caption, marginRight: 32, marginBottom: 40, style: {fontSize: "12px", background: "transparent"}, ...options});
  }

  // article shows a picture, its table, and ways to save both. hidden names the series that are not shown.
  function article(program, p, hidden) {
    const drawn = element("div", {className: "drawn"}), t = p.table, rows = objects(t);
    const shown = p.shown && p.shown.length ? p.shown.map(i => t.rows[i]) : t.rows.slice(0, 50);
    let width = 0;
    function redraw() {
      width = Math.floor(drawn.clientWidth);
      if (width == 0) return;
      const series = (p.series || []).map((s, place) => ({...s, place})).filter(s => !hidden.has(s.name));
      const kept = (p.kind == "dots" && p.shown ? p.shown.map(i => rows[i]) : rows).filter(r => !hidden.has(r.policy));
      drawn.replaceChildren(...charts[p.kind](p, kept, series, width).filter(x => x != null));
    }
    new ResizeObserver(() => { if (Math.abs(drawn.clientWidth - width) > 1) requestAnimationFrame(redraw); }).observe(drawn);
    const file = program + "-" + p.name;
    const parts = shown.length == 0 ? [] : [element("details", {open: p.kind == "table" || p.name == "policies" || p.name == "teams"}, element("summary", null, "Numbers"), element("p", {className: "soft more"}, "Scroll sideways for all columns."), table(t.columns, t.text, shown, p.title, t.units),
      shown.length < t.rows.length ? element("p", {className: "soft"}, `${shown.length} of ${t.rows.length} rows: the TSV has all.`) : null)];
    const ways = element("div", {className: "ways"}, element("button", {type: "button", onclick: () => save(file + ".tsv", "text/tab-separated-values", tsv(t))}, "Save as TSV"),
      p.kind == "table" ? null : element("button", {type: "button", onclick: () => save(file + ".svg", "image/svg+xml", picture(drawn, p.title))}, "Save as SVG"));
    const e = element("article", {id: p.name}, element("h2", null, p.title), element("figure", null, p.kind == "table" ? null : drawn, element("figcaption", null, p.caption)), ...parts, ways);
    for (const scroll of e.querySelectorAll(".scroll")) // says that it scrolls where it does
      new ResizeObserver(() => { scroll.previousSibling.hidden = scroll.scrollWidth <= scroll.clientWidth; }).observe(scroll);
    e.redraw = redraw;
    return e;
  }

  // boxes are check boxes of names, checked but for those that are off; then is called when that has changed.
  const boxes = (names, off, then) => names.map(name => element("label", null, element("input", {type: "checkbox", checked: !off.has(name), onchange: e => {
    if (e.target.checked) off.delete(name); else off.add(name);
    then();
  }}), " " + name));

  // show draws a document into an element.
  function show(into, d) {
    const hidden = new Set(), articles = d.pictures.map(p => article(d.program, p, hidden)), redraw = () => articles.forEach(a => a.redraw());
    const policies = d.program == "whatif" ? d.rows.map(r => r.policy) : [];
    into.replaceChildren(element("h1", null, d.title), ...d.summary.map(s => element("p", {className: "summary"}, s)),
      d.command ? element("p", null, element("code", null, d.command)) : "",
      ...(policies.length > 2 ? [element("fieldset", null, element("legend", {className: "soft"}, "Policies in the pictures"), element("div", {className: "row"}, ...boxes(policies, hidden, redraw)))] : []),
      ...articles,
      element("article", {id: "words"}, element("h2", null, "What the numbers mean, and what they do not"), ...d.notes.map(s => element("p", null, s))));
    redraw();
  }

  return {element, objects, short, boxes, show, article, charts};
})();

{
  const result = document.getElementById("result");
  if (result) page.show(document.querySelector("main"), JSON.parse(result.textContent));
  document.getElementById("old").remove();
}
