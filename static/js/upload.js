// Uploading by choice or by drop, folders too: one request per file with its progress. Without this the form posts as it is.
// A page that has no form yet (home) keeps what is dropped and opens the dialog that makes a place for it.
const form = () => document.querySelector("form[data-upload]");
const list = () => document.querySelector("[data-upload-list]");
const picker = () => form().querySelector("input[type=file]");
const early = [];
const queue = [];
let busy = null; // what is being sent
let looking = 0; // dropped folders that are still being looked through

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
const size = (bytes) => (bytes < 1e6 ? gettext("{n} KB", { n: Math.ceil(bytes / 1e3) }) : gettext("{n} MB", { n: numeral(bytes / 1e6, TENTHS) }));

function row(file, markup, kind = "") {
  const element = Object.assign(document.createElement("div"), { className: `up ${kind}` });
  element.innerHTML = markup;
  element.querySelector("span").textContent = file.name;
  list().append(element);
  return element;
}

function refuse({ name }, reason) {
  const element = row({ name }, '<div class="stack stack-0"><span class="m trunc"></span><span class="xs"></span></div><button type="button" class="btn ghost sm" data-dismiss-file></button>', "bad");
  element.querySelector(".xs").textContent = reason;
  element.querySelector("button").textContent = gettext("Dismiss");
}

function add(file, path) {
  if (!form()) return early.push({ file, path });
  const { accept } = picker();
  const limit = Number(form().dataset.maxBytes) || Infinity;
  const kinds = accept ? accept.split(",").map((kind) => kind.trim().toLowerCase()) : [];
  if (file.size > limit) refuse(file, gettext("{size} is larger than the {limit} a file may have. It was not sent.", { size: size(file.size), limit: size(limit) }));
  else if (kinds.length && !kinds.some((kind) => file.name.toLowerCase().endsWith(kind))) refuse(file, gettext("Files of this kind cannot be read. This one was not sent."));
  else {
    const element = row(file, '<span class="m trunc"></span><progress class="bar" max="100" value="0"></progress><span class="xs muted n"></span><button type="button" class="btn ghost sm"></button>');
    element.querySelector("button").textContent = gettext("Cancel");
    element.querySelector(".n").textContent = size(file.size);
    element.querySelector("progress").setAttribute("aria-label", gettext("Uploading {name}", { name: file.name }));
    queue.push({ file, path, element });
    next();
  }
}

function next() {
  const job = !busy && queue.shift();
  if (!job) return busy || looking ? null : leave();
  busy = job;
  send(job).finally(() => {
    busy = null;
    next();
  });
}

// To the page that shows the files, unless a reason to stay is on this one.
function leave() {
  const { uploadDone } = form()?.dataset ?? {};
  if (uploadDone && !list().children.length) location.assign(uploadDone);
}

// The list asks for itself again; an answer with words says what was here already.
function taken(target, text) {
  if (target && text.trim()) htmx.swap(target, text, { swapStyle: "beforeend" });
  document.dispatchEvent(new CustomEvent("documents-changed"));
}

function send({ file, path, element }) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const { action, dataset } = form();
    const { name } = picker();
    const body = new FormData(form());
    body.delete(name);
    body.append(name, file);
    body.append("path", path);
    request.open("POST", action);
    request.setRequestHeader("HX-Request", "true");
    request.upload.onprogress = (event) => { element.querySelector("progress").value = (100 * event.loaded) / event.total; };
    request.onload = () => {
      if (request.status < 300) taken(dataset.target, request.responseText);
      else refuse(file, request.getResponseHeader("Content-Type")?.startsWith("text/plain") ? request.responseText : gettext("The server did not accept it ({status}). Try again.", { status: request.status }));
    };
    request.onerror = () => refuse(file, gettext("The connection was lost while sending. Add it again."));
    request.onloadend = () => {
      element.remove();
      resolve();
    };
    element.querySelector("button").onclick = () => request.abort();
    request.send(body);
  });
}

async function entry(item, folder = "") {
  if (item.isFile) return new Promise((resolve) => item.file((file) => resolve(add(file, folder + file.name)), resolve));
  const reader = item.createReader();
  // readEntries answers in parts until it answers with none.
  for (let part; (part = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])))).length; ) {
    for (const child of part) await entry(child, `${folder}${item.name}/`);
  }
}

function dragging(event, over) {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  document.querySelector("[data-dropzone]")?.classList.toggle("over", over);
}

// Says in the dialog what waits for it, and proposes the folder's or the first file's name.
function tell() {
  const note = document.querySelector("[data-early]");
  if (!note || !early.length) return;
  const [first] = early;
  const name = note.form.querySelector("[name=name]");
  note.value = early.length;
  note.nextElementSibling.hidden = false;
  note.nextElementSibling.textContent = ngettext("“{name}” will be added to it.", "{n} files will be added to it.", early.length, { name: first.file.name });
  name.value ||= first.path.includes("/") ? first.path.split("/")[0] : first.file.name.replace(/\.[^.]*$/, "");
  name.select();
}

async function look(entries) {
  looking += 1;
  for (const one of entries) await entry(one);
  looking -= 1;
  if (form()) return next();
  makePlace();
}

function makePlace() {
  if (!early.length) return;
  if (document.querySelector("[data-early]")) tell();
  else document.querySelector("[data-opens-for-files]")?.click();
}

// What would be lost with the page is asked about, and told on the next visit: a file can't be kept, its name can.
const UNSENT = "svq-not-sent";
const unsent = () => [busy, ...queue].filter(Boolean).map(({ file }) => file.name);

function keepWords() {
  if (!form() || !list()) return;
  const told = [...list().querySelectorAll(".up.bad:has([data-dismiss-file])")].map((one) => ({
    name: one.querySelector("span").textContent,
    reason: one.querySelector(".xs").textContent,
  }));
  const names = unsent();
  if (names.length) {
    const name = ngettext("{n} file was not sent", "{n} files were not sent", names.length, { n: numeral(names.length) });
    told.push({ name, reason: gettext("{names}. Choose them again.", { names: names.join(", ") }) });
  }
  if (told.length) sessionStorage.setItem(UNSENT, JSON.stringify({ action: form().action, told }));
}

function tellAgain({ persisted }) {
  const kept = JSON.parse(sessionStorage.getItem(UNSENT) ?? "null");
  if (!kept || form()?.action !== kept.action) return;
  sessionStorage.removeItem(UNSENT);
  if (!persisted) for (const { name, reason } of kept.told) refuse({ name }, reason);
}

addEventListener("beforeunload", (event) => {
  if (busy || queue.length || looking || early.length) event.preventDefault();
});
addEventListener("pagehide", keepWords);
addEventListener("pageshow", tellAgain);

document.addEventListener("dragover", (event) => dragging(event, true));
document.addEventListener("dragleave", (event) => event.relatedTarget || dragging(event, false));
document.addEventListener("drop", (event) => {
  dragging(event, false);
  look([...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.()).filter(Boolean));
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-browse]")) picker().click();
  const chooser = event.target.closest("[data-choose-files]");
  if (chooser) {
    event.preventDefault();
    chooser.parentElement.querySelector("input[type=file]").click();
  }
  event.target.closest("[data-dismiss-file]")?.closest(".up").remove();
});
document.addEventListener("submit", (event) => event.target.matches("form[data-upload]") && event.preventDefault());
document.addEventListener("change", ({ target }) => {
  if (!target.matches("form[data-upload] input[type=file], input[data-early-files]")) return;
  for (const file of target.files) add(file, file.webkitRelativePath || file.name);
  target.value = "";
  if (!form()) makePlace();
});
document.addEventListener("htmx:afterSettle", () => {
  if (!form()) return tell();
  for (const { file, path } of early.splice(0)) add(file, path);
});
// The dialog was closed: nothing waits any more. (A close does not bubble.)
document.addEventListener("close", (event) => event.target.querySelector?.("[data-early]") && early.splice(0), true);
