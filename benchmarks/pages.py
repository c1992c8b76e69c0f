"""The design's budgets in a real browser against a whole running SVQ: weight, first paint, shift, waits."""

import gzip
import json
from collections.abc import Callable
from statistics import median
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from benchmarks import throwaway
from tests import chromium

FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync --disable-quic"
)
SLOW = {"kilobits": 1600, "latency": 150, "slowdown": 4}
FAST = {"kilobits": 10_000, "latency": 40, "slowdown": 1}
QUESTION = "What caused the worst incident of 2025?"
TIMES = 5  # new visitors for a wait; the median counts
OBSERVE = """
window.shift = 0; window.paint = 0; window.slowest = 0;
const watch = (type, take, more) =>
  new PerformanceObserver(l => l.getEntries().forEach(take)).observe({type, buffered: true, ...more});
watch('layout-shift', e => { if (!e.hadRecentInput) window.shift += e.value });
watch('paint', e => { if (e.name === 'first-contentful-paint') window.paint = e.startTime });
watch('event', e => { window.slowest = Math.max(window.slowest, e.duration) }, {durationThreshold: 16});
"""
# From the key to the frame that shows the line, by the page's own clock: no driver's waits are in it.
OBSERVE_ASKING = """
window.asked = 0; window.line = 0; window.step = 0;
addEventListener('keydown', e => { if (e.key === 'Enter') window.asked = e.timeStamp }, true);
const shown = name => requestAnimationFrame(() => {
  const frame = new MessageChannel();
  frame.port1.onmessage = () => { window[name] ||= performance.now() - window.asked };
  frame.port2.postMessage(0);
});
new MutationObserver(() => {
  if (document.querySelector('.tr-l li')) shown('line');
  if (document.querySelector('.tr-l li:not(.todo)')) shown('step');
}).observe(document, {childList: true, subtree: true, attributes: true});
"""


def run() -> dict[str, Any]:
    """Figures whose budgets stand in benchmarks/results/pages.yaml."""
    with throwaway.up() as (svq, base), sync_playwright() as playwright:
        password = (svq.folder / "var" / "first-password").read_text().split()[-1]  # no terminal has shown it
        browser = playwright.chromium.launch(executable_path=chromium.path(), args=FLAGS.split())
        state = sign_in(browser.new_page(), base, password)
        figures = measure(lambda: browser.new_context(storage_state=state).new_page(), base)
        browser.close()
    return figures


def sign_in(page: Page, base: str, password: str) -> Any:
    page.goto(f"{base}/account/login/")
    page.fill("input[name=login]", "admin@localhost")
    page.fill("input[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}/")
    state = page.context.storage_state()
    page.context.close()
    return state


def measure(new_page: Any, base: str) -> dict[str, float]:
    chat, documents = f"{base}/d/1/chat/", f"{base}/d/1/"
    figures: dict[str, float] = {}
    page = new_page()
    figures["first visit, chat, kilobytes"] = weight(page, chat)
    page.goto(documents)
    html = html_of(page, documents)
    figures["next page, kilobytes of HTML"] = round(len(gzip.compress(html)) / 1024, 1)
    figures["layout shift, worst page"] = max(
        shift(new_page(), f"{base}{p}") for p in ("/", "/d/1/", "/d/1/chat/")
    )
    figures["first paint, slow line, ms"] = middle(lambda: first_paint(new_page(), chat, **SLOW))
    figures["first paint, fast line, ms"] = middle(lambda: first_paint(new_page(), chat, **FAST))
    figures |= chatting(new_page(), chat)
    waits = [asking(new_page(), chat) for _ in range(TIMES)]
    return figures | {name: round(median(wait[name] for wait in waits)) for name in waits[0]}


def middle(wait: Callable[[], float]) -> float:
    """Of several visitors."""
    return round(median(wait() for _ in range(TIMES)))


def weight(page: Page, address: str) -> float:
    """Kilobytes over the wire for a first visit, without page images."""
    total = 0.0
    session: CDPSession = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def count(event: dict[str, Any]) -> None:
        nonlocal total
        total += event["encodedDataLength"]

    session.on("Network.loadingFinished", count)
    page.goto(address)
    page.wait_for_timeout(1500)
    return round(total / 1024, 1)


def html_of(page: Page, address: str) -> bytes:
    """The page's HTML as the signed-in person gets it."""
    return page.context.request.get(address).body()


def shift(page: Page, address: str) -> float:
    page.add_init_script(OBSERVE)
    page.goto(address)
    page.wait_for_timeout(1500)
    return round(float(page.evaluate("window.shift")), 4)


def first_paint(page: Page, address: str, *, kilobits: int, latency: int, slowdown: int) -> float:
    """First contentful paint in ms on such a line and with the processor slowed down."""
    session = page.context.new_cdp_session(page)
    rate = kilobits * 1000 / 8
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": latency, "downloadThroughput": rate, "uploadThroughput": rate},
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    page.add_init_script(OBSERVE)
    page.goto(address, timeout=60_000)
    while not (paint := page.evaluate("window.paint")):
        page.wait_for_timeout(50)
    page.context.close()
    return float(paint)


def ask(page: Page, address: str) -> None:
    """In a new chat, until the answer is there."""
    page.goto(address)
    page.fill("textarea", QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_selector(".chip[data-card]", timeout=60_000)
    page.wait_for_selector("[aria-busy=true]", state="hidden", timeout=60_000)


def asking(page: Page, address: str) -> dict[str, float]:
    """How long the asker looks at nothing new, and until the worker's first step is seen."""
    page.add_init_script(OBSERVE_ASKING)
    ask(page, address)
    line, step = page.evaluate("[window.line, window.step]")
    page.context.close()
    return {"submit to first trace line, ms": line, "submit to first step of the agent, ms": step}


def chatting(page: Page, address: str) -> dict[str, float]:
    """Ask, and open the card of the first citation twice."""
    page.add_init_script(OBSERVE)
    ask(page, address)
    card = page.locator(".chip[data-card]").first.get_attribute("data-card")
    timed = """async url => {
        const begun = performance.now();
        await (await fetch(url)).text();
        return performance.now() - begun;
    }"""
    cold = page.evaluate(timed, card)
    warm = min(page.evaluate(timed, card) for _ in range(5))
    return {
        "hover card, cold, ms": round(cold),
        "hover card, cached, ms": round(warm),
        "interaction to paint, worst, ms": round(float(page.evaluate("window.slowest"))),
    }


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
