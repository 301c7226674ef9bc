// Sorting and filtering of the table; without this script it is read as it is.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const value = (row, i) => {
    const cell = row.cells[i];
    const key = cell.dataset.key;
    return key === undefined ? cell.textContent : Number(key);
  };
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sign = down ? -1 : 1;
      const rows = [...body.rows].map((row) => [value(row, i), row]);
      rows.sort(([a], [b]) => sign * (a < b ? -1 : a > b ? 1 : 0));
      body.append(...rows.map(([, row]) => row));
    });
  });
  const label = document.createElement("label");
  label.className = "filter";
  label.textContent = "Show only rows that contain ";
  const input = document.createElement("input");
  input.type = "search";
  label.append(input);
  table.parentElement.before(label);
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of body.rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
    }
  });
}
