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
    const answer = await fetch(`/v1/readings/${encodeURIComponent(id)}?wait=${WAIT_SECONDS}`);
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

// What the reader has opened stays open.
function replace(region, next) {
  const open = [...region.querySelectorAll('details')].map((one) => one.open);
  const fresh = document.importNode(next, true);
  for (const [index, one] of [...fresh.querySelectorAll('details')].entries()) if (open[index]) one.open = true;
  region.replaceWith(fresh);
  return fresh;
}
