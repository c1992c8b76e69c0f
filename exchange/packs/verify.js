"use strict";
const messages = {}; // of the language of the page, see verifying_page.py
// Verifies an evidence pack as exchange/packs/verification.py does: the archive byte by byte, each file's hash, the signature.
const NAME = /^(?:pictures\/)?[a-z0-9][a-z0-9-]{0,60}\.[a-z]{2,5}$/;
const MOST_FILES = 1000, MOST_BYTES = 256 * 1024 * 1024;
const MANIFEST = "manifest.json", SIGNATURE = "signature.json", FORMAT = "svq-evidence-pack", VERSION = 1;
const MOST_MANIFEST_BYTES = 2 ** 20, MOST_SIGNATURE_BYTES = 2 ** 10;
const gettext = (text, values = {}) => (messages[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const OTHER_LAYOUT = gettext("It is not laid out as SVQ writes packs: it was altered, cut off, or packed again by another program.");
const OTHER_FORM = gettext("{name} is no list of files as SVQ writes it.", { name: MANIFEST });
const TOO_LARGE = gettext("It is larger than a pack can be ({n} MB).", { n: MOST_BYTES / 2 ** 20 });
const DAY = 0x21;

class Broken extends Error {}

const CRCS = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRCS[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

// fields: [bytes, value], little-endian, then the name.
function packed(fields, name) {
  const length = fields.reduce((sum, [size]) => sum + size, 0);
  const bytes = new Uint8Array(length + name.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  for (let i = 0; i < name.length; i++) bytes[at + i] = name.charCodeAt(i);
  return bytes;
}

function localHeader(entry) {
  const { name, size, crc } = entry;
  return packed([[4, 0x04034b50], [2, 20], [2, 0], [2, 0], [2, 0], [2, DAY], [4, crc], [4, size], [4, size], [2, name.length], [2, 0]], name);
}

function directory(entries, at) {
  const rows = entries.map(({ name, size, crc, start }) =>
    packed([[4, 0x02014b50], [2, 20], [2, 20], [2, 0], [2, 0], [2, 0], [2, DAY], [4, crc], [4, size], [4, size], [2, name.length],
      [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, start - 30 - name.length]], name));
  const length = rows.reduce((sum, row) => sum + row.length, 0);
  const count = entries.length;
  rows.push(packed([[4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, length], [4, at], [2, 0]], ""));
  return rows;
}

function same(bytes, at, expected) {
  if (at + expected.length > bytes.length) return false;
  return expected.every((byte, i) => bytes[at + i] === byte);
}

function readEntries(bytes) {
  if (bytes.length > MOST_BYTES) throw new Broken(TOO_LARGE);
  const view = new DataView(bytes.buffer);
  const entries = [], names = new Set();
  let at = 0;
  while (at + 30 <= bytes.length && view.getUint32(at, true) === 0x04034b50) {
    if (entries.length >= MOST_FILES) throw new Broken(gettext("It has more files than a pack can have ({n}).", { n: MOST_FILES.toLocaleString("en") }));
    const crc = view.getUint32(at + 14, true), size = view.getUint32(at + 18, true);
    const end = at + 30 + Math.min(view.getUint16(at + 26, true), 256);
    const name = String.fromCharCode(...bytes.subarray(at + 30, end));
    if (!NAME.test(name)) throw new Broken(gettext("It has a file with a name that no file of a pack has."));
    const entry = { name, size, crc, start: end, content: bytes.subarray(end, end + size) };
    if (!same(bytes, at, localHeader(entry)) || end + size > bytes.length) throw new Broken(OTHER_LAYOUT);
    if (names.has(name)) throw new Broken(gettext("It has two files of the name {name}.", { name }));
    entry.intact = crc32(entry.content) === crc;
    names.add(name);
    entries.push(entry);
    at = end + size;
  }
  for (const row of directory(entries, at)) {
    if (!same(bytes, at, row)) throw new Broken(OTHER_LAYOUT);
    at += row.length;
  }
  if (at !== bytes.length) throw new Broken(OTHER_LAYOUT);
  return new Map(entries.map((entry) => [entry.name, entry]));
}

function contentOf(entries, name, most) {
  const entry = entries.get(name);
  if (!entry) throw new Broken(gettext("It has no {name}: it is no evidence pack, or that was taken out.", { name }));
  if (!entry.intact) throw new Broken(gettext("{name} was altered.", { name }));
  if (entry.size > most) throw new Broken(gettext("Its {name} is larger than it can be.", { name }));
  return entry.content;
}

// A mark of the byte order is a byte that SVQ does not write: it stays in the text, and the text is refused.
const textOf = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
const written = (values) => JSON.stringify(values, null, 1) + "\n";
const isCount = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

function hashesIn(manifest) {
  let text, said;
  try {
    text = textOf(manifest);
    said = JSON.parse(text);
  } catch {
    throw new Broken(OTHER_FORM);
  }
  if (typeof said?.format !== "string" || !isCount(said.version, 1, 1e6)) throw new Broken(OTHER_FORM);
  if (said.format !== FORMAT) throw new Broken(gettext("{name} is not that of an evidence pack.", { name: MANIFEST }));
  if (said.version > VERSION) throw new Broken(gettext("It was written by a newer SVQ, in a form that this one does not know."));
  const isText = (value, pattern) => typeof value === "string" && pattern.test(value);
  const isListed = (file) => isText(file?.name, NAME) && isCount(file.size, 0, MOST_BYTES) && isText(file.sha256, /^[0-9a-f]{64}$/);
  if (!Array.isArray(said.files) || !said.files.every(isListed)) throw new Broken(OTHER_FORM);
  const files = said.files.map(({ name, size, sha256 }) => ({ name, size, sha256 }));
  const hashes = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  if (hashes.size !== files.length || written({ format: FORMAT, version: said.version, files }) !== text) throw new Broken(OTHER_FORM);
  return hashes;
}

const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

function signatureIn(bytes) {
  try {
    const text = textOf(bytes);
    const said = JSON.parse(text);
    const key = fromBase64(said.public_key), signature = fromBase64(said.signature);
    const values = { algorithm: "Ed25519", public_key: btoa(String.fromCharCode(...key)), signature: btoa(String.fromCharCode(...signature)) };
    if (key.length === 32 && signature.length === 64 && written(values) === text) return { key, signature };
  } catch { /* told below */ }
  throw new Broken(gettext("{name} is no signature as SVQ writes it.", { name: SIGNATURE }));
}

async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function hasSigned(key, signature, content) {
  const known = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify({ name: "Ed25519" }, known, signature, content);
}

async function filesAsSigned(entries, hashes) {
  const there = [...entries.values()].filter(({ name }) => name !== MANIFEST && name !== SIGNATURE);
  const wrong = [...hashes.keys()].filter((name) => !there.some((entry) => entry.name === name)).map((name) => gettext("{name} is missing.", { name }));
  for (const { name, intact, content } of there) {
    if (!hashes.has(name)) wrong.push(gettext("{name} was added.", { name }));
    else if (!intact || (await sha256(content)) !== hashes.get(name)) wrong.push(gettext("{name} was altered.", { name }));
  }
  if (wrong.length) return wrong.map(broken);
  return [{ outcome: "holds", words: gettext("{n} files, whole and unchanged since they were signed.", { n: there.length }) }];
}

const broken = (words) => ({ outcome: "broken", words });
const inGroups = (text) => text.match(/.{1,4}/g).join(" ");

// expected: the fingerprint of the key that should have signed. Returns [{ outcome, words }]; outcomes: see WORDS.
async function verify(buffer, expected) {
  const checks = [];
  let key, signature, manifest;
  try {
    const entries = readEntries(new Uint8Array(buffer));
    manifest = contentOf(entries, MANIFEST, MOST_MANIFEST_BYTES);
    ({ key, signature } = signatureIn(contentOf(entries, SIGNATURE, MOST_SIGNATURE_BYTES)));
    checks.push(...(await filesAsSigned(entries, hashesIn(manifest))));
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return [broken(error.message)];
  }
  let fits;
  try {
    fits = await hasSigned(key, signature, manifest);
  } catch {
    checks.push({ outcome: "unchecked", words: gettext("This browser cannot check signatures (Ed25519), so anybody may have written this pack. Use Chrome or Edge 137, Firefox 129, Safari 17 or newer, or the command manage.py verify_pack.") });
    return checks;
  }
  if (!fits) {
    checks.push(broken(gettext("The signature does not fit: {manifest} or {signature} was altered, or somebody signed anew.", { manifest: MANIFEST, signature: SIGNATURE })));
    return checks;
  }
  const fingerprint = await sha256(key);
  checks.push(fingerprint === expected
    ? { outcome: "holds", words: gettext("Signed by the key of the SVQ that gave out this page, {key}.", { key: inGroups(fingerprint) }) }
    : { outcome: "other key", words: gettext("Signed by another key than that of the SVQ that gave out this page. Its fingerprint is {key}. Anybody can sign with a key of their own, so ask the sender for the fingerprint of theirs, by another way than the pack came.", { key: inGroups(fingerprint) }) });
  return checks;
}

const WORDS = { holds: gettext("Right"), unchecked: gettext("Not checked"), "other key": gettext("Other key"), broken: gettext("Wrong") };
const LOOKS = { holds: "okc", unchecked: "warnd", "other key": "warn", broken: "badl" };
const CONCLUSIONS = {
  broken: gettext("The pack is not as it was signed. Do not rely on it."),
  unchecked: gettext("Not everything could be checked."),
  "other key": gettext("Signed by a key that this page does not know. Nothing was changed since it was signed with that key."),
  holds: gettext("The pack is whole and unchanged, and signed by the key of the SVQ that gave out this page."),
};
const result = document.getElementById("result");
const chosen = document.getElementById("pack");

function conclusion(checks) {
  const worst = Object.keys(CONCLUSIONS).find((each) => checks.some(({ outcome }) => outcome === each));
  return CONCLUSIONS[worst];
}

function row({ outcome, words }) {
  const line = document.createElement("li"), pill = document.createElement("span"), text = document.createElement("span");
  pill.className = `pill ${LOOKS[outcome]}`;
  pill.textContent = WORDS[outcome];
  text.textContent = words;
  line.append(pill, text);
  return line;
}

function show(heading, name = "", checks = []) {
  const title = document.createElement("h2"), file = document.createElement("p"), list = document.createElement("ul");
  title.textContent = heading;
  file.className = "meta";
  file.textContent = name;
  list.append(...checks.map(row));
  result.replaceChildren(title, file, list);
}

// What is found of a file is shown as long as no other was chosen meanwhile.
let latest;
async function take(file) {
  if (!file) return;
  latest = file;
  if (file.size > MOST_BYTES) return show(CONCLUSIONS.broken, file.name, [broken(TOO_LARGE)]);
  show(gettext("Reading the pack …"), file.name);
  let found;
  try {
    const checks = await verify(await file.arrayBuffer(), result.dataset.key);
    found = [conclusion(checks), file.name, checks];
  } catch {
    found = [gettext("The file could not be read."), file.name];
  }
  if (file === latest) show(...found);
}

if (!globalThis.crypto?.subtle) {
  chosen.disabled = true;
  show(gettext("This browser cannot verify packs here: save the page and open it as a file, use a newer browser, or the command manage.py verify_pack."));
}
chosen.addEventListener("change", () => take(chosen.files[0]));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => { event.preventDefault(); if (!chosen.disabled) take(event.dataTransfer.files[0]); });
