// The live page: new releases come by the event stream, or by asking every 15 seconds where that does not open.
const OPEN_MS = 2500;
const POLL_MS = 15_000;
const HIDDEN_MS = 5 * 60_000;
const MOST_ROWS = 100;

export function startLive() {
  const root = document.querySelector('[data-live]');
  const list = root?.querySelector('.days');
  if (!root || !list) return;
  const state = document.querySelector('[data-live-state]');
  const pause = document.querySelector('[data-live-pause]');
  const fresh = root.querySelector('[data-live-new]');
  const seen = new Set([...list.querySelectorAll('[data-release-id]')].map((row) => row.dataset.releaseId));
  const waiting = [];
  let lastEventId = '';
  let source = null;
  let poll = 0;
  let hidden = 0;
  let paused = false;

  const say = (words, health) => {
    state.textContent = words;
    state.className = `health ${health}`;
  };

  function connect() {
    disconnect();
    const address = lastEventId
      ? `/v1/releases/stream?lastEventId=${encodeURIComponent(lastEventId)}`
      : '/v1/releases/stream';
    source = new EventSource(address);
    const slow = setTimeout(startPolling, OPEN_MS);
    source.addEventListener('open', () => {
      clearTimeout(slow);
      clearInterval(poll);
      say('Watching', 'ok');
    });
    source.addEventListener('release', (event) => {
      lastEventId = event.lastEventId || lastEventId;
      receive(releaseOf(event.data));
    });
    source.addEventListener('error', () => say('Connecting again', 'stale'));
  }

  function disconnect() {
    source?.close();
    source = null;
    clearInterval(poll);
  }

  function startPolling() {
    if (source?.readyState === EventSource.OPEN) return;
    disconnect();
    say('Asking every 15 seconds', 'stale');
    poll = setInterval(async () => {
      try {
        const answer = await fetch('/v1/releases/latest?count=30', { headers: { Accept: 'application/json' } });
        if (!answer.ok) return;
        const { releases } = await answer.json();
        for (const release of releases.reverse()) receive(release);
      } catch {
        say('The registry does not answer', 'failing');
      }
    }, POLL_MS);
  }

  function receive(release) {
    if (!release?.id || seen.has(release.id)) return;
    seen.add(release.id);
    waiting.push(release);
    if (!paused && window.scrollY < 200) showWaiting();
    else announce();
  }

  function announce() {
    fresh.hidden = waiting.length === 0;
    fresh.textContent = `${waiting.length} new`;
  }

  function showWaiting() {
    for (const release of waiting.splice(0)) list.prepend(rowOf(release));
    const rows = list.querySelectorAll('[data-release-id]');
    for (const row of [...rows].slice(MOST_ROWS)) row.remove();
    announce();
  }

  fresh.addEventListener('click', () => {
    showWaiting();
    window.scrollTo({ top: 0 });
  });
  pause.hidden = false;
  pause.addEventListener('click', () => {
    paused = !paused;
    pause.setAttribute('aria-pressed', String(paused));
    pause.textContent = paused ? 'Resume' : 'Pause';
    say(paused ? 'Paused' : 'Watching', paused ? 'paused' : 'ok');
    if (!paused) showWaiting();
  });
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(disconnect, HIDDEN_MS);
    else if (!source) connect();
  });
  connect();
}

function releaseOf(data) {
  try {
    const event = JSON.parse(data);
    return event.release ?? event.data ?? event;
  } catch {
    return null;
  }
}

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children.filter(Boolean));
  return made;
}

function rowOf(release) {
  const row = element('article', 'row new');
  row.dataset.releaseId = release.id;
  const breaks = release.breaking === 'major' || release.breaking === 'minor';
  if (breaks) row.dataset.breaking = release.breaking;
  const title = element('a', '', release.titleShort ?? release.title ?? release.version ?? 'Untitled release');
  title.href = (release.webUrl ?? `/release/${release.id}`).replace(/^https?:\/\/[^/]+/, '');
  const badge = breaks
    ? element('span', `badge ${release.breaking}`, release.breaking === 'major' ? 'Breaking' : 'Minor break')
    : null;
  const subject = element(
    'div',
    'row-subject',
    element('span', 'row-name', release.product?.name ?? release.source?.name ?? ''),
  );
  if (release.version) subject.append(element('span', 'version', release.version));
  const time = element('time', '', 'just now');
  if (release.publishedAt) time.dateTime = release.publishedAt;
  const main = element('div', 'row-main', element('h3', 'row-title', badge, badge ? ' ' : null, title));
  if (release.summary) main.append(element('p', 'row-sum', release.summary));
  row.append(subject, main, element('div', 'row-side', time));
  return row;
}
