// The newest rows of a log, asked for again every five seconds while the page is looked at.
const EVERY_MS = 5000;

export function startTail() {
  const tail = document.querySelector('[data-tail]');
  if (!tail || new URLSearchParams(location.search).has('cursor')) return;
  setInterval(async () => {
    // Whoever reads with a keyboard or has something open is not interrupted.
    if (document.hidden || tail.contains(document.activeElement)) return;
    try {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-tail]');
      if (fresh && fresh.innerHTML !== tail.innerHTML) tail.replaceChildren(...fresh.childNodes);
    } catch {
      // The next round asks again.
    }
  }, EVERY_MS);
}
