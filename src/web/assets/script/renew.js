// An answer that is being read: it is fetched again with each change, and takes the place of the one that is shown. Changes
// arrive through an event stream, or by asking where it does not open.
const WAIT_SECONDS = 20;
const PAUSE_MS = 3000;
const MOST_FAULTS = 5;
const OVER = new Set(['done', 'failed']);

export function startRenewing() {
  const region = document.querySelector('[data-renew]');
  if (!region?.dataset.renew) return;
  if (window.EventSource) listen(region);
  else follow(region, 0);
}

function listen(shown) {
  let region = shown;
  let isStale = false;
  let isFetching = false;
  const source = new EventSource(`/v1/readings/${encodeURIComponent(region.dataset.renew)}/events`);
  const id = region.dataset.renew;

  // One at a time: what changes meanwhile is fetched afterwards.
  async function renew() {
    isStale = true;
    if (isFetching || document.hidden) return;
    isFetching = true;
    while (isStale) {
      isStale = false;
      const next = await renewedRegion();
      if (next !== null) region = replace(region, next);
    }
    isFetching = false;
    if (region.dataset.renew === id) return;
    source.close();
    if (region.dataset.renew) listen(region);
  }

  let seen = 0;
  source.addEventListener('reading', (event) => {
    const isOver = OVER.has(parsed(event.data)?.state);
    if (isOver) source.close();
    seen += 1;
    // The first one tells what is shown already.
    if (seen > 1 || isOver) renew();
  });
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) return;
    source.close();
    follow(region, 0);
  });
  document.addEventListener('visibilitychange', () => {
    if (isStale && !document.hidden) renew();
  });
}

function parsed(data) {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

async function follow(shown, earlier) {
  let [region, faults] = [shown, earlier];
  while (region.isConnected && region.dataset.renew && faults < MOST_FAULTS) {
    const changed = await change(region.dataset.renew);
    if (changed === null) faults += 1;
    if (changed === null || document.hidden) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (changed === null) continue;
    const next = await renewedRegion();
    if (next === null) faults += 1;
    else region = replace(region, next);
  }
}

// Resolves when something has changed, or some seconds later; to null when nobody answers.
async function change(id) {
  try {
    // A list of packages names where it is told how far it is, a single answer its reading.
    const address = id.startsWith('/') ? id : `/v1/readings/${encodeURIComponent(id)}`;
    const answer = await fetch(`${address}?wait=${WAIT_SECONDS}`);
    if (answer.status === 404) return {};
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

async function renewedRegion() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const region = page.querySelector('[data-renew]');
    // What was not known has a page of another kind by now.
    if (answer.ok && (region === null || document.querySelector('.lost'))) location.reload();
    return region;
  } catch {
    return null;
  }
}

// What the reader has opened stays open, and what they look at stays where it is.
function replace(region, next) {
  const all = [...region.querySelectorAll('details')];
  const open = all.map((one) => one.open);
  const keyed = new Set(all.filter((one) => one.open && one.dataset.key).map((one) => one.dataset.key));
  const fresh = document.importNode(next, true);
  for (const [index, one] of [...fresh.querySelectorAll('details')].entries()) {
    if (one.dataset.key ? keyed.has(one.dataset.key) : open[index] && !all[index].dataset.key) one.open = true;
  }
  const held = heldRow(region);
  const focused = region.contains(document.activeElement)
    ? document.activeElement.closest('[data-key]')?.dataset.key
    : undefined;
  region.replaceWith(fresh);
  const same = held && rowOf(fresh, held.key);
  if (same) window.scrollBy({ top: same.getBoundingClientRect().top - held.top, behavior: 'instant' });
  if (focused) rowOf(fresh, focused)?.querySelector('summary')?.focus({ preventScroll: true });
  return fresh;
}

// The first row that is in sight, unless the top of the list is.
function heldRow(region) {
  if (region.getBoundingClientRect().top >= 0) return null;
  for (const row of region.querySelectorAll('[data-key]')) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > 0 && top < window.innerHeight) return { key: row.dataset.key, top };
  }
  return null;
}

function rowOf(region, key) {
  return [...region.querySelectorAll('[data-key]')].find((row) => row.dataset.key === key);
}
