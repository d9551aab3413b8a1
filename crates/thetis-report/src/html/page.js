"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// Views.
const views = [...document.querySelectorAll("nav [data-view]")].map((tab) => tab.dataset.view);
let chosen = null;
function choose(view) {
  chosen = view;
  for (const name of views) {
    byId(`view-${name}`).hidden = name !== view;
    byId(`tab-${name}`).setAttribute("aria-selected", String(name === view));
  }
}
for (const name of views) {
  byId(`tab-${name}`).addEventListener("click", () => {
    choose(name);
    zooms[name]?.start();
    followRun();
  });
}
// A graph or a table that is too large to be read as a whole shows the part where the run is.
function followRun() {
  const node = document.querySelector("#graph .node.current");
  if (chosen === "graph" && node) zooms.graph.follow(node);
  const column = document.querySelector("#wave thead .current");
  if (chosen === "values" && column) revealColumn(column, byId("view-values"));
}
// The names of the rows stay at the left, so a column must be to the right of them.
function revealColumn(column, container) {
  const [inner, outer] = [column.getBoundingClientRect(), container.getBoundingClientRect()];
  const names = column.parentElement.firstElementChild.getBoundingClientRect().width;
  if (inner.left < outer.left + names || inner.right > outer.right) {
    container.scrollLeft += inner.right - outer.left - (container.clientWidth + names) / 2;
  }
}

// Steps: what a step shows, and what the steps before it have left.
const steps = data.steps;
// A run without places in the source, such as that of a circuit, is read from its values.
choose(steps.length > 0 && !steps.some((step) => step.lines) && byId("view-values") ? "values" : "source");
let current = 0;
function mark(element, name, isOn) {
  if (element) element.classList.toggle(name, isOn);
}
function unmark(name) {
  document.querySelectorAll(`.${name}`).forEach((element) => element.classList.remove(name));
}
function linesOf(step) {
  if (!step.lines) return [];
  const [first, last] = step.lines;
  return Array.from({ length: last - first + 1 }, (_, offset) => byId(`${step.prefix}${first + offset}`));
}
// Scrolls a container, and nothing else, so that an element is in its middle.
function reveal(element, container) {
  const [inner, outer] = [element.getBoundingClientRect(), container.getBoundingClientRect()];
  container.scrollTop += inner.top - outer.top - (container.clientHeight - inner.height) / 2;
}
// Places of a net have their tokens in them, variables of a system their values.
function showTokens(step) {
  const values = new Map(step.values.map(({ name, value }) => [name, value]));
  for (const tokens of document.querySelectorAll("#graph .node .tokens")) {
    // Places without tokens are not among the values.
    tokens.textContent = values.get(tokens.closest(".node").dataset.name) ?? "0";
  }
}
// The next step after this one for which something holds, or the first one at all.
function findStep(fits) {
  const later = steps.findIndex((step, number) => number > current && fits(step));
  return later >= 0 ? later : steps.findIndex(fits);
}
// Steps that are shown in the list are those that the buttons and keys choose.
const showsAll = () => byId("all-steps")?.checked ?? true;
function nextShown(direction) {
  let number = current + direction;
  while (number > 0 && number < steps.length - 1 && !steps[number].matters && !showsAll()) number += direction;
  return number;
}
function show(number) {
  current = Math.max(0, Math.min(number, steps.length - 1));
  const step = steps[current];
  unmark("current");
  unmark("visited");
  for (const earlier of steps.slice(0, current)) {
    linesOf(earlier).forEach((line) => mark(line, "visited", true));
    earlier.nodes.forEach((node) => mark(byId(`n${node}`), "visited", true));
    if (earlier.edge !== null) mark(byId(`e${earlier.edge}`), "visited", true);
  }
  const lines = linesOf(step);
  lines.forEach((line) => mark(line, "current", true));
  lines[0]?.closest("details")?.setAttribute("open", "");
  if (lines[0]) reveal(lines[0], byId("view-source"));
  step.nodes.forEach((node) => mark(byId(`n${node}`), "current", true));
  if (step.edge !== null) mark(byId(`e${step.edge}`), "current", true);
  const item = document.querySelector(`#steps li[data-step="${current}"]`);
  item.classList.add("current");
  reveal(item, byId("steps"));
  showTokens(step);
  document.querySelectorAll(`#wave [data-column="${current}"]`).forEach((cell) => cell.classList.add("current"));
  byId("position").textContent = `step ${current} of ${steps.length - 1}`;
  byId("first").disabled = byId("previous").disabled = current === 0;
  byId("last").disabled = byId("next").disabled = current === steps.length - 1;
  const body = byId("values").tBodies[0];
  body.replaceChildren(...step.values.map(({ name, value, changed }) => {
    const row = document.createElement("tr");
    row.className = changed ? "changed" : "";
    for (const text of [name, value]) row.insertCell().textContent = text;
    return row;
  }));
  byId("values").hidden = step.values.length === 0;
  followRun();
}

// Searching: steps that do not fit are hidden, lines that fit are framed.
function search(text) {
  const wanted = text.trim().toLowerCase();
  const fits = (element) => wanted === "" || element.textContent.toLowerCase().includes(wanted);
  let numSteps = 0;
  document.querySelectorAll("#steps li").forEach((item) => {
    item.hidden = !fits(item);
    if (!item.hidden) numSteps += 1;
  });
  let numLines = 0;
  document.querySelectorAll("#view-source .line").forEach((line) => {
    const isMatch = wanted !== "" && fits(line.lastElementChild);
    line.classList.toggle("match", isMatch);
    if (isMatch) {
      if (numLines === 0) reveal(line, byId("view-source"));
      numLines += 1;
    }
  });
  byId("found").textContent = wanted === "" ? "" : `${numSteps} steps, ${numLines} lines`;
}

if (steps.length > 0) {
  byId("first").addEventListener("click", () => show(0));
  byId("previous").addEventListener("click", () => show(nextShown(-1)));
  byId("next").addEventListener("click", () => show(nextShown(1)));
  byId("last").addEventListener("click", () => show(steps.length - 1));
  document.querySelectorAll("#steps li").forEach((item) => {
    item.addEventListener("click", () => show(Number(item.dataset.step)));
  });
  byId("search").addEventListener("input", (event) => search(event.target.value));
  byId("all-steps")?.addEventListener("change", () => byId("steps").classList.toggle("all", showsAll()));
  byId("steps").classList.toggle("all", showsAll());
  // A click on a line or a node chooses a step that is there.
  for (const step of steps) linesOf(step).forEach((line) => mark(line, "reached", true));
  byId("view-source").addEventListener("click", (event) => {
    const line = event.target.closest(".line");
    const number = line ? findStep((step) => linesOf(step).includes(line)) : -1;
    if (number >= 0) show(number);
  });
  byId("graph")?.addEventListener("click", (event) => {
    const node = event.target.closest(".node");
    const number = node ? findStep((step) => step.nodes.includes(Number(node.id.slice(1)))) : -1;
    if (number >= 0) show(number);
  });
  document.querySelectorAll("#wave [data-column]").forEach((cell) => {
    cell.addEventListener("click", () => show(Number(cell.dataset.column)));
  });
  // The place of the violation stands out whatever step is chosen.
  linesOf(steps[steps.length - 1]).forEach((line) => mark(line, "wrong", true));
  // The violation is what people want to see first.
  show(steps.length - 1);
}

// Zooming and moving a graph: both change its view box.
function zoomable(graph) {
  let box = null;
  const apply = () => graph.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  // All of it, but not larger than 1.5 times its natural size.
  const fit = () => {
    const [width, height] = [Number(graph.dataset.width), Number(graph.dataset.height)];
    const pane = graph.getBoundingClientRect();
    const size = { width: Math.max(width, pane.width / 1.5), height: Math.max(height, pane.height / 1.5) };
    const isSmall = size.width > width && size.height > height;
    box = isSmall ? { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size } : { x: 0, y: 0, width, height };
    apply();
  };
  // A graph that has never been visible has not had a size.
  let isStarted = false;
  const start = () => {
    if (!isStarted) fit();
    isStarted = true;
  };
  const zoom = (factor, x, y) => {
    box = {
      x: x - (x - box.x) * factor,
      y: y - (y - box.y) * factor,
      width: box.width * factor,
      height: box.height * factor,
    };
    apply();
  };
  const zoomMiddle = (factor) => zoom(factor, box.x + box.width / 2, box.y + box.height / 2);
  const pointOf = (event) => {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(graph.getScreenCTM().inverse());
  };
  // Where a view of this size starts if its middle is to be at a point, without showing what is outside of the graph.
  const within = (at, size, whole) => {
    return size >= whole ? (whole - size) / 2 : Math.max(0, Math.min(at - size / 2, whole - size));
  };
  const follow = (node) => {
    const [width, height] = [Number(graph.dataset.width), Number(graph.dataset.height)];
    const [pane, at] = [graph.getBoundingClientRect(), node.getBBox()];
    const isReadable = Math.min(pane.width / width, pane.height / height) > 0.6;
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    const isWhole = box.width >= width && box.height >= height;
    const isInside = x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
    if (isReadable || (isInside && !isWhole)) return;
    box = { x: within(x, pane.width, width), y: within(y, pane.height, height), width: pane.width, height: pane.height };
    apply();
  };
  const actions = { in: () => zoomMiddle(1 / 1.3), out: () => zoomMiddle(1.3), fit };
  const bar = document.querySelector(`[data-zooms="${graph.id}"]`);
  for (const name of Object.keys(actions)) {
    bar.querySelector(`.zoom-${name}`).addEventListener("click", actions[name]);
  }
  graph.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = pointOf(event);
    zoom(event.deltaY < 0 ? 1 / 1.15 : 1.15, at.x, at.y);
  }, { passive: false });
  let held = null;
  graph.addEventListener("pointerdown", (event) => {
    held = pointOf(event);
  });
  graph.addEventListener("pointermove", (event) => {
    if (!held || event.buttons === 0) return;
    // Only a drag takes the pointer: a click belongs to the node under it.
    graph.setPointerCapture(event.pointerId);
    const at = pointOf(event);
    box.x += held.x - at.x;
    box.y += held.y - at.y;
    apply();
  });
  graph.addEventListener("pointerup", () => { held = null; });
  fit();
  return { ...actions, follow, start };
}
const zooms = {};
document.querySelectorAll("svg.graph").forEach((graph) => { zooms[graph.id] = zoomable(graph); });

document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT") return;
  const actions = {
    ArrowLeft: () => steps.length && show(nextShown(-1)),
    ArrowRight: () => steps.length && show(nextShown(1)),
    Home: () => steps.length && show(0),
    End: () => steps.length && show(steps.length - 1),
    "+": () => zooms[chosen]?.in(),
    "-": () => zooms[chosen]?.out(),
    0: () => zooms[chosen]?.fit(),
  };
  if (actions[event.key]) actions[event.key]();
});
