// A new table: columns to begin with are put in without leaving the page, behind those that somebody has typed.
const columns = document.getElementById("columns");
const presets = [...document.querySelectorAll("[data-columns]")];
const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

document.addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-columns]");
  if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const offered = new Set(presets.flatMap((preset) => lines(preset.dataset.columns)));
  const typed = lines(columns.value).filter((line) => !offered.has(line));
  columns.value = [...typed, ...lines(chosen.dataset.columns)].join("\n");
  for (const preset of presets) {
    preset.classList.toggle("on", preset === chosen);
    preset.setAttribute("aria-current", preset === chosen);
  }
});
