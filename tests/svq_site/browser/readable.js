// What hides the text inside an element from a reader, as the page is drawn: a list of sentences, empty if it can be read.
(root) => {
  const LEAST = 56; // pixels of a name that are left where it is cut
  const problems = [];
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest(".vh");
  const box = root.getBoundingClientRect();
  if (!seen(root) || box.width < 40 || box.height < 20) return ["it is not seen"];
  const sides = [box.left, box.top, box.right, box.bottom].map(Math.round);
  if (sides[0] < 0 || sides[1] < 0 || sides[2] > innerWidth || sides[3] > innerHeight) problems.push(`it leaves the window: ${sides}`);

  // The part of a line that no scrolling or cutting ancestor hides; `scrolls` if one of them can be scrolled.
  function shown(line, holder) {
    const part = { left: Math.max(line.left, box.left), right: Math.min(line.right, box.right), top: line.top, bottom: line.bottom, scrolls: false };
    for (let e = holder; e !== root.parentElement; e = e.parentElement) {
      const style = getComputedStyle(e), edge = e.getBoundingClientRect();
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const longer = e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth;
      part.scrolls ||= longer && /auto|scroll/.test(style.overflowX + style.overflowY);
      part.left = Math.max(part.left, edge.left);
      part.right = Math.min(part.right, edge.right);
      part.top = Math.max(part.top, edge.top);
      part.bottom = Math.min(part.bottom, edge.bottom);
    }
    return part;
  }

  function covered(part, holder) {
    const front = document.elementFromPoint((part.left + part.right) / 2, (part.top + part.bottom) / 2);
    if (!front || !root.contains(front)) return true;
    return !front.contains(holder) && !holder.contains(front) && !front.closest("label, a, button, li, tr")?.contains(holder);
  }

  let read = 0;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.data.trim(), holder = node.parentElement;
    if (!text || !seen(holder) || holder.closest("option, svg, textarea")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const said = `“${text.slice(0, 40)}”`;
    const line = [...range.getClientRects()].find((rect) => rect.width > 1 && rect.height > 1);
    if (!line) {
      problems.push(`${said} has no width`);
      continue;
    }
    const part = shown(line, holder), width = part.right - part.left, height = part.bottom - part.top;
    if (part.scrolls && (height < line.height / 2 || width < 4)) continue; // one scrolls to it
    read += 1;
    if (height < line.height * 0.6) problems.push(`${said} is cut in its height`);
    else if (width < Math.min(line.width - 1, LEAST)) problems.push(`${said} is cut to ${Math.round(width)} pixels`);
    else if (covered(part, holder)) problems.push(`${said} is covered`);
  }
  if (!read) problems.push("it says nothing");
  for (const field of root.querySelectorAll("input:not([type=hidden], [type=radio], [type=checkbox], [type=range], [type=file]), textarea, select")) {
    const { width, height } = field.getBoundingClientRect();
    if (seen(field) && (width < 80 || height < 18)) problems.push(`the field ${field.name} has ${Math.round(width)} by ${Math.round(height)} pixels`);
  }
  return problems;
}
