// An answer that is being read: it is fetched again with each change, and takes the place of the one that is shown.
const WAIT_SECONDS = 20;
const PAUSE_MS = 3000;
const MOST_FAULTS = 5;

export function startRenewing() {
  const region = document.querySelector('[data-renew]');
  if (region?.dataset.renew) follow(region, 0);
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
    if (!answer.ok) return null;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    return page.querySelector('[data-renew]');
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
