// The live page: new releases arrive through the event stream, or by polling every 15 seconds when the stream does not
// open.
const OPEN_MS = 2500;
const POLL_MS = 15_000;
const RETRY_MS = 60_000;
const HIDDEN_MS = 5 * 60_000;
const MOST_ROWS = 100;
// A reader who has scrolled further than this is reading, so new rows wait instead of moving the list.
const AT_TOP = 200;

export function startLive() {
  const root = document.querySelector('[data-live]');
  if (!root || !window.EventSource) return;
  const state = document.querySelector('[data-live-state]');
  const count = document.querySelector('[data-live-count]');
  const pause = document.querySelector('[data-live-pause]');
  const fresh = root.querySelector('[data-live-new]');
  const seen = new Set([...root.querySelectorAll('[data-release-id]')].map((row) => row.dataset.releaseId));
  const waiting = [];
  let rows = null;
  // The event id after which the stream resumes: that of the last event, or the one that the stream began with.
  let resume = '';
  let source = null;
  let slow = 0;
  let poll = 0;
  let retry = 0;
  let hidden = 0;
  let paused = false;

  const showState = (words, health) => {
    if (paused) return;
    state.textContent = words;
    state.className = `health ${health}`;
  };

  function connect() {
    disconnect();
    source = new EventSource(`/v1/releases/stream${resume ? `?${resume}` : ''}`);
    slow = setTimeout(startPolling, OPEN_MS);
    source.addEventListener('open', () => {
      clearTimeout(slow);
      clearInterval(poll);
      showState('Watching', 'ok');
    });
    source.addEventListener('ready', (event) => {
      const seq = parsed(event.data)?.seq;
      if (!resume && Number.isInteger(seq)) resume = `since=${seq}`;
    });
    source.addEventListener('release.created', (event) => {
      if (event.lastEventId) resume = `lastEventId=${encodeURIComponent(event.lastEventId)}`;
      receive(parsed(event.data)?.release);
    });
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) startPolling();
      else showState('Connecting again', 'stale');
    });
  }

  function disconnect() {
    source?.close();
    source = null;
    clearTimeout(slow);
    clearInterval(poll);
    clearTimeout(retry);
  }

  function startPolling() {
    if (source?.readyState === EventSource.OPEN) return;
    disconnect();
    showState('Asking every 15 seconds', 'stale');
    poll = setInterval(pollLatest, POLL_MS);
    retry = setTimeout(connect, RETRY_MS);
    pollLatest();
  }

  async function pollLatest() {
    try {
      const answer = await fetch('/v1/releases/latest?count=30', { headers: { Accept: 'application/json' } });
      if (!answer.ok) throw new Error(String(answer.status));
      const { releases } = await answer.json();
      for (const release of releases.reverse()) receive(release);
      showState('Asking every 15 seconds', 'stale');
    } catch {
      showState('The registry does not answer', 'failing');
    }
  }

  function receive(release) {
    if (!release?.id || seen.has(release.id)) return;
    seen.add(release.id);
    waiting.push(release);
    if (!paused && window.scrollY < AT_TOP) showWaiting();
    else showWaitingCount();
  }

  function showWaitingCount() {
    fresh.hidden = waiting.length === 0;
    fresh.textContent = `${waiting.length} new`;
    if (waiting.length > 0) count.textContent = `${waiting.length} new`;
  }

  function showWaiting() {
    const shown = waiting.splice(0);
    rows ??= newRows(root);
    for (const release of shown) rows.prepend(rowOf(release));
    for (const row of [...root.querySelectorAll('[data-release-id]')].slice(MOST_ROWS)) row.remove();
    for (const day of root.querySelectorAll('.day')) if (!day.querySelector('[data-release-id]')) day.remove();
    showWaitingCount();
    if (shown.length > 0) count.textContent = `${shown.length} new`;
  }

  fresh.addEventListener('click', () => {
    showWaiting();
    window.scrollTo({ top: 0 });
  });
  pause.hidden = false;
  pause.addEventListener('click', () => {
    if (!paused) showState('Paused', 'paused');
    paused = !paused;
    pause.setAttribute('aria-pressed', String(paused));
    pause.textContent = paused ? 'Resume' : 'Pause';
    if (paused) return;
    showState(source ? 'Watching' : 'Asking every 15 seconds', source ? 'ok' : 'stale');
    showWaiting();
  });
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(disconnect, HIDDEN_MS);
    else if (!source && !retry) connect();
    else if (!source) startPolling();
  });
  connect();
}

function parsed(data) {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

// Creates the section that new rows are added to, above the other days. It replaces the message of an empty list.
function newRows(root) {
  let days = root.querySelector('.days');
  if (!days) {
    root.querySelector('.empty')?.remove();
    days = element('div', 'days');
    root.append(days);
  }
  const rows = element('div', '');
  days.prepend(element('section', 'day', element('h2', 'day-head', 'New'), rows));
  return rows;
}

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children.filter(Boolean));
  return made;
}

function link(className, path, text) {
  const made = element('a', className, text);
  made.href = path;
  return made;
}

// An event has `sourceName`, an item of the list of latest releases has `source.name`.
function rowOf(release) {
  const row = element('article', 'row new');
  row.dataset.releaseId = release.id;
  const breaks = release.breaking === 'major' || release.breaking === 'minor';
  if (breaks) row.dataset.breaking = release.breaking;
  const path = (release.webUrl ?? `/release/${release.id}`).replace(/^https?:\/\/[^/]+/, '');
  const badge = breaks
    ? element('span', `badge ${release.breaking}`, release.breaking === 'major' ? 'Breaking' : 'Minor break')
    : null;
  const name = release.product?.name ?? release.sourceName ?? release.source?.name ?? '';
  const subject = element('div', 'row-subject', subjectOf(release, name));
  if (release.version) subject.append(element('span', 'version', release.version));
  const time = element('time', '', 'just now');
  if (release.publishedAt) time.dateTime = release.publishedAt;
  const title = release.titleShort || release.titleGenerated || release.title || release.version || 'Untitled release';
  const heading = element('h3', 'row-title', badge, badge ? ' ' : null, link('', path, title));
  const main = element('div', 'row-main', heading);
  if (release.summary) main.append(element('p', 'row-sum', release.summary));
  row.append(subject, main, element('div', 'row-side', time));
  return row;
}

function subjectOf(release, name) {
  const org = release.org?.slug ?? release.source?.orgSlug;
  const slug = release.product?.slug ?? release.sourceSlug ?? release.source?.slug;
  if (!slug) return element('span', 'row-name', name);
  return link('row-name', org ? `/${org}/${slug}` : `/source/${slug}`, name);
}
