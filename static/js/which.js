// All documents, or these: whoever ticks one wants these, and all of them has no ticks. A line says what was chosen.
document.addEventListener("change", ({ target }) => {
  const which = target.form?.elements.which;
  if (!which || !target.matches("[name=document], [name=which]")) return;
  const boxes = [...target.form.querySelectorAll("[name=document]")];
  if (target.name === "document") which.value = "chosen";
  else if (which.value === "all") for (const box of boxes) box.checked = false;
  const line = target.form.querySelector("[data-checked]");
  if (!line) return;
  const ticked = boxes.filter((box) => box.checked).length;
  line.textContent = which.value === "all" ? line.dataset.checked : ngettext("{n} document", "{n} documents", ticked);
});
