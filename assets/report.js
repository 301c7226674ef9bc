// Sorting and filtering of the table; without this script it is read as it is.
const names = new Intl.Collator("en", { numeric: true });
const inOrder = (a, b) => (typeof a === "number" ? a - b : names.compare(a, b));
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  // A column has keys, or is sorted by its words; `null` is a key that is not known.
  const value = (cell, keyed) => {
    if (!keyed) return cell.textContent;
    return "key" in cell.dataset ? Number(cell.dataset.key) : null;
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
      const keyed = [...body.rows].some((row) => "key" in row.cells[i].dataset);
      const rows = [...body.rows].map((row) => [value(row.cells[i], keyed), row]);
      rows.sort(([a], [b]) => {
        // What is not known is last either way.
        if (a === null || b === null) return (a === null) - (b === null);
        return sign * inOrder(a, b);
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
  const filter = document.createElement("div");
  filter.className = "filter";
  const label = document.createElement("label");
  label.textContent = "Show only rows that contain ";
  const input = document.createElement("input");
  input.type = "search";
  label.append(input);
  const count = document.createElement("output");
  filter.append(label, count);
  table.parentElement.before(filter);
  const show = () => {
    const wanted = input.value.toLowerCase();
    let shown = 0;
    for (const row of body.rows) {
      row.hidden = ![...row.cells].some((cell) =>
        cell.textContent.toLowerCase().includes(wanted),
      );
      if (!row.hidden) shown += 1;
    }
    const [some, all] = [shown, body.rows.length].map((n) => n.toLocaleString("en"));
    count.textContent = `${some} of ${all} rows`;
  };
  input.addEventListener("input", show);
  show();
}
