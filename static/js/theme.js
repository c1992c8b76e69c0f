// Switches the theme at once and lets the server remember it.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-theme-form]");
  if (!form) return;
  event.preventDefault();
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  const body = new FormData(form);
  body.set("theme", root.dataset.theme);
  fetch(form.action, { method: "POST", body, redirect: "manual" });
  document.dispatchEvent(new CustomEvent("themechange"));
});
