"use strict";
// Verifies an evidence pack as packs/verification.py does: the archive byte by byte, each file's hash, the signature.
const NAME = /^(?:pictures\/)?[a-z0-9][a-z0-9-]{0,60}\.[a-z]{2,5}$/;
const MOST_FILES = 1000, MOST_BYTES = 256 * 1024 * 1024;
const MANIFEST = "manifest.json", SIGNATURE = "signature.json", FORMAT = "svq-evidence-pack", VERSION = 1;
const OTHER_LAYOUT = "It is not laid out as SVQ writes packs: it was altered, cut off, or packed again by another program.";
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
  if (bytes.length > MOST_BYTES) throw new Broken(`It is larger than a pack can be (${MOST_BYTES / 2 ** 20} MB).`);
  const view = new DataView(bytes.buffer);
  const entries = [], names = new Set();
  let at = 0;
  while (at + 30 <= bytes.length && view.getUint32(at, true) === 0x04034b50) {
    if (entries.length >= MOST_FILES) throw new Broken(`It has more files than a pack can have (${MOST_FILES}).`);
    const crc = view.getUint32(at + 14, true), size = view.getUint32(at + 18, true);
    const end = at + 30 + Math.min(view.getUint16(at + 26, true), 256);
    const name = String.fromCharCode(...bytes.subarray(at + 30, end));
    if (!NAME.test(name)) throw new Broken("It has a file with a name that no file of a pack has.");
    const entry = { name, size, crc, start: end, content: bytes.subarray(end, end + size) };
    if (!same(bytes, at, localHeader(entry)) || end + size > bytes.length) throw new Broken(OTHER_LAYOUT);
    if (names.has(name)) throw new Broken(`It has two files of the name ${name}.`);
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

function contentOf(entries, name) {
  const entry = entries.get(name);
  if (!entry) throw new Broken(`It has no ${name}: it is no evidence pack, or that was taken out.`);
  if (!entry.intact) throw new Broken(`${name} was altered.`);
  return entry.content;
}

function hashesIn(manifest) {
  let said;
  try {
    said = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(manifest));
    if (!Array.isArray(said.files) || said.files.some((file) => typeof file.name !== "string" || typeof file.sha256 !== "string")) throw new Error();
  } catch {
    throw new Broken(`${MANIFEST} is no list of files as SVQ writes it.`);
  }
  if (said.format !== FORMAT) throw new Broken(`${MANIFEST} is not that of an evidence pack.`);
  if (said.version > VERSION) throw new Broken("It was written by a newer SVQ, in a form that this page does not know.");
  return new Map(said.files.map((file) => [file.name, file.sha256]));
}

const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

function signatureIn(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const said = JSON.parse(text);
    const key = fromBase64(said.public_key), signature = fromBase64(said.signature);
    const written = { algorithm: "Ed25519", public_key: btoa(String.fromCharCode(...key)), signature: btoa(String.fromCharCode(...signature)) };
    if (key.length === 32 && signature.length === 64 && JSON.stringify(written, null, 1) + "\n" === text) return { key, signature };
  } catch { /* told below */ }
  throw new Broken(`${SIGNATURE} is no signature as SVQ writes it.`);
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
  const wrong = [...hashes.keys()].filter((name) => !there.some((entry) => entry.name === name)).map((name) => `${name} is missing.`);
  for (const { name, intact, content } of there) {
    if (!hashes.has(name)) wrong.push(`${name} was added.`);
    else if (!intact || (await sha256(content)) !== hashes.get(name)) wrong.push(`${name} was altered.`);
  }
  if (wrong.length) return wrong.map((words) => ({ holds: false, words }));
  return [{ holds: true, words: `${there.length} files, each as it was signed.` }];
}

const inGroups = (text) => text.match(/.{1,4}/g).join(" ");

// expected: the fingerprint of the key that must have signed. Returns [{ holds: true, false or null, words }].
async function verify(buffer, expected) {
  const checks = [];
  let key, signature, manifest;
  try {
    const entries = readEntries(new Uint8Array(buffer));
    manifest = contentOf(entries, MANIFEST);
    ({ key, signature } = signatureIn(contentOf(entries, SIGNATURE)));
    checks.push(...(await filesAsSigned(entries, hashesIn(manifest))));
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return [{ holds: false, words: error.message }];
  }
  let fits;
  try {
    fits = await hasSigned(key, signature, manifest);
  } catch {
    checks.push({ holds: null, words: "This browser cannot check signatures (Ed25519), so anybody may have written this pack. Use Chrome or Edge 137, Firefox 129, Safari 17 or newer, or the command manage.py verify_pack." });
    return checks;
  }
  if (!fits) {
    checks.push({ holds: false, words: `The signature does not fit: ${MANIFEST} or ${SIGNATURE} was altered, or somebody signed anew.` });
    return checks;
  }
  const fingerprint = await sha256(key);
  checks.push(fingerprint === expected
    ? { holds: true, words: `Signed by the key of the SVQ that gave out this page, ${inGroups(fingerprint)}.` }
    : { holds: false, words: `Signed by another key than that of the SVQ that gave out this page: ${inGroups(fingerprint)}.` });
  return checks;
}

const WORDS = { true: "Holds", false: "Wrong", null: "Not checked" };
const LOOKS = { true: "okc", false: "badl", null: "warnd" };
const result = document.getElementById("result");
const chosen = document.getElementById("pack");

function conclusion(checks) {
  if (checks.some(({ holds }) => holds === false)) return "The pack does not hold. Do not rely on it.";
  if (checks.some(({ holds }) => holds === null)) return "Not everything could be checked.";
  return "The pack holds: nothing in it was changed since it was signed.";
}

function row({ holds, words }) {
  const line = document.createElement("li"), pill = document.createElement("span"), text = document.createElement("span");
  pill.className = `pill ${LOOKS[holds]}`;
  pill.textContent = WORDS[holds];
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

async function take(file) {
  if (!file) return;
  if (file.size > MOST_BYTES) return show("The pack does not hold. Do not rely on it.", file.name, [{ holds: false, words: `It is larger than a pack can be (${MOST_BYTES / 2 ** 20} MB).` }]);
  show("Reading the pack …", file.name);
  try {
    const checks = await verify(await file.arrayBuffer(), result.dataset.key);
    show(conclusion(checks), file.name, checks);
  } catch {
    show("The file could not be read.", file.name);
  }
}

if (!globalThis.crypto?.subtle) {
  chosen.disabled = true;
  show("This browser cannot verify packs here: save the page and open it as a file, use a newer browser, or the command manage.py verify_pack.");
}
chosen.addEventListener("change", () => take(chosen.files[0]));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => { event.preventDefault(); if (!chosen.disabled) take(event.dataTransfer.files[0]); });
