// The newest rows of a log, reloaded every five seconds while the page is visible.
const EVERY_MS = 5000;

export function startTail() {
  const tail = document.querySelector('[data-tail]');
  if (!tail || new URLSearchParams(location.search).has('cursor')) return;
  setInterval(async () => {
    // The rows are not replaced while one of them has the focus, which it also gets when a reader expands it.
    if (document.hidden || tail.contains(document.activeElement)) return;
    try {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-tail]');
      if (fresh && fresh.innerHTML !== tail.innerHTML) tail.replaceChildren(...fresh.childNodes);
    } catch {
      // A failed request is repeated in the next round.
    }
  }, EVERY_MS);
}
