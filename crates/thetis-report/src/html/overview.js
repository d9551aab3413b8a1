"use strict";
const boxes = [...document.querySelectorAll("[data-filter]")];
const search = document.getElementById("search");
function filter() {
  const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.filter));
  const wanted = search.value.trim().toLowerCase();
  for (const row of document.querySelectorAll("#checks tbody tr")) {
    row.hidden = !shown.has(row.dataset.outcome) || !row.textContent.toLowerCase().includes(wanted);
  }
}
for (const box of boxes) box.addEventListener("change", filter);
search.addEventListener("input", filter);
