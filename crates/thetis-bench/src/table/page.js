"use strict";
// Filtering: every word has to occur in the line.
const filter = document.getElementById("filter");
const lines = Array.from(document.querySelectorAll("#tasks tbody tr"));
const texts = lines.map((line) => line.textContent.toLowerCase());
function show() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  lines.forEach((line, number) => {
    const fits = words.every((word) => texts[number].includes(word));
    line.hidden = !fits;
    if (fits) count += 1;
  });
  document.getElementById("count").textContent = `${count} of ${lines.length}`;
}
filter.addEventListener("input", show);
show();

// Sorting by a click on a head, the other way round by a second one.
for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    head.addEventListener("click", () => {
      const direction = head.dataset.direction === "up" ? -1 : 1;
      table.querySelectorAll("thead th").forEach((other) => delete other.dataset.direction);
      head.dataset.direction = direction === 1 ? "up" : "down";
      const value = (line) => {
        const cell = line.cells[column];
        const text = cell.dataset.value ?? cell.textContent;
        const number = Number(text);
        return text === "" || Number.isNaN(number) ? text : number;
      };
      const body = table.tBodies[0];
      const sorted = Array.from(body.rows).sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
        return direction * order;
      });
      body.append(...sorted);
    });
  });
}
