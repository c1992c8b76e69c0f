// Uploading by choice or by drop, folders too: one request per file with its progress. Without this the form posts as it is.
const form = document.querySelector("form[data-upload]");
const list = document.querySelector("[data-upload-list]");
const picker = form.querySelector("input[type=file]");
const { accept } = picker;
const limit = Number(form.dataset.maxBytes) || Infinity;
const queue = [];
let busy = false;

const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

function row(file, markup, kind = "") {
  const element = Object.assign(document.createElement("div"), { className: `up ${kind}` });
  element.innerHTML = markup;
  element.querySelector("span").textContent = file.name;
  list.append(element);
  return element;
}

function refuse(file, reason) {
  const element = row(file, '<div class="stack stack-0"><span class="m trunc"></span><span class="xs"></span></div><button type="button" class="btn ghost sm" data-dismiss-file>Dismiss</button>', "bad");
  element.querySelector(".xs").textContent = reason;
}

function add(file, path) {
  const kinds = accept ? accept.split(",").map((kind) => kind.trim().toLowerCase()) : [];
  if (file.size > limit) refuse(file, `${size(file.size)} is larger than the ${size(limit)} a file may have. It was not sent.`);
  else if (kinds.length && !kinds.some((kind) => file.name.toLowerCase().endsWith(kind))) refuse(file, `Files of this kind cannot be read. It was not sent. Allowed: ${kinds.join(" ")}`);
  else {
    const element = row(file, '<span class="m trunc"></span><progress class="bar" max="100" value="0"></progress><span class="xs muted n"></span><button type="button" class="btn ghost sm">Cancel</button>');
    element.querySelector(".n").textContent = size(file.size);
    element.querySelector("progress").setAttribute("aria-label", `Uploading ${file.name}`);
    queue.push({ file, path, element });
    next();
  }
}

function next() {
  const job = !busy && queue.shift();
  if (!job) return;
  busy = true;
  send(job).finally(() => {
    busy = false;
    next();
  });
}

function send({ file, path, element }) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const body = new FormData(form);
    body.delete(picker.name);
    body.append(picker.name, file);
    body.append("path", path);
    request.open("POST", form.action);
    request.setRequestHeader("HX-Request", "true");
    request.upload.onprogress = (event) => { element.querySelector("progress").value = (100 * event.loaded) / event.total; };
    request.onload = () => {
      if (request.status < 300) htmx.swap(form.dataset.target, request.responseText, { swapStyle: "afterbegin" });
      else refuse(file, request.getResponseHeader("Content-Type")?.startsWith("text/plain") ? request.responseText : `The server did not accept it (${request.status}). Try again.`);
    };
    request.onerror = () => refuse(file, "The connection was lost while sending. Add it again.");
    request.onloadend = () => {
      element.remove();
      resolve();
    };
    element.querySelector("button").onclick = () => request.abort();
    request.send(body);
  });
}

async function entry(item, folder = "") {
  if (item.isFile) return item.file((file) => add(file, folder + file.name));
  const reader = item.createReader();
  // readEntries answers in parts until it answers with none.
  for (let part; (part = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])))).length; ) {
    for (const child of part) await entry(child, `${folder}${item.name}/`);
  }
}

function dragging(event, over) {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  document.querySelector("[data-dropzone]").classList.toggle("over", over);
}

document.addEventListener("dragover", (event) => dragging(event, true));
document.addEventListener("dragleave", (event) => event.relatedTarget || dragging(event, false));
document.addEventListener("drop", (event) => {
  dragging(event, false);
  const items = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  for (const item of items) entry(item);
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-browse]")) picker.click();
  event.target.closest("[data-dismiss-file]")?.closest(".up").remove();
});
form.addEventListener("submit", (event) => event.preventDefault());
picker.addEventListener("change", () => {
  for (const file of picker.files) add(file, file.webkitRelativePath || file.name);
  picker.value = "";
});
