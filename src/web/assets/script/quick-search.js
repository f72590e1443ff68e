// The search dialog: Ctrl-K, Cmd-K or / open it; arrows choose, Enter opens, Esc closes. Packages come first, and whatever is found
// or not, the last rows lead on.
const DEBOUNCE_MS = 200;
const HITS = 12;
const RECENT = 'registry-recent';
const MOST_RECENT = 5;
const BREAKS = { major: 'Breaking', minor: 'Minor break' };

export function startQuickSearch() {
  const dialog = createDialog();
  if (!dialog) return;
  const { element, input, list } = dialog;
  let timer = 0;
  let request = null;
  let opener = null;

  const close = () => element.close();
  const open = () => {
    if (element.open) return;
    opener = document.activeElement;
    element.showModal();
    input.select();
    if (input.value.trim() === '') show(beginnings());
  };
  element.addEventListener('close', () => {
    request?.abort();
    opener?.focus?.();
  });
  element.addEventListener('click', (event) => {
    if (event.target === element) close();
  });

  document.addEventListener('keydown', (event) => {
    const combined = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    // The input of a closed dialog keeps the focus until the browser draws its next frame.
    const typing = isTyping(event.target) && (element.open || event.target !== input);
    const slash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !typing;
    if (!combined && !slash) return;
    event.preventDefault();
    open();
  });

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, DEBOUNCE_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = list.querySelector('[aria-selected="true"]');
      if (chosen) chosen.click();
      else location.href = input.value.trim() === '' ? '/search' : `/ask?q=${encodeURIComponent(input.value)}`;
    }
  });

  function move(step) {
    const hits = [...list.querySelectorAll('[role="option"]')];
    if (hits.length === 0) return;
    const at = hits.findIndex((hit) => hit.getAttribute('aria-selected') === 'true');
    const next = (at + step + hits.length) % hits.length;
    for (const [index, hit] of hits.entries()) hit.setAttribute('aria-selected', String(index === next));
    input.setAttribute('aria-activedescendant', hits[next].id);
    hits[next].scrollIntoView({ block: 'nearest' });
  }

  async function search() {
    request?.abort();
    const q = input.value.trim();
    if (q === '') return show(beginnings());
    request = new AbortController();
    const { signal } = request;
    const read = async (path) => {
      const answer = await fetch(path, { signal, headers: { Accept: 'application/json' } });
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    };
    const typed = encodeURIComponent(q);
    // A failing search still leaves the way to the search page.
    const [asked, found] = await Promise.allSettled([
      read(`/v1/ask?q=${typed}`),
      read(`/v1/search?limit=6&q=${typed}`),
    ]);
    if (signal.aborted) return;
    const hits = [...askedHits(asked.value), ...hitsOf(found.value)];
    const words = asked.value || found.value ? '' : 'Search does not answer. Press Enter to try the search page.';
    show([...distinct(hits).slice(0, HITS), everything(q)], words);
  }

  function show(hits, words = '') {
    list.replaceChildren(...groupsOf(hits));
    input.setAttribute('aria-expanded', String(hits.length > 0));
    input.removeAttribute('aria-activedescendant');
    dialog.status.textContent = words || `${hits.length} ${hits.length === 1 ? 'row' : 'rows'}`;
  }
}

function isTyping(target) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function sitePath(url) {
  return url.replace(/^https?:\/\/[^/]+/, '');
}

// What an empty field offers: what was opened last, and what one can ask.
function beginnings() {
  return [
    ...recent().map(({ path, title }) => ({ group: 'Recent', path, title })),
    { group: 'Ask', path: '/whats-changed', title: 'Check an update', sub: 'package, you have, update to' },
    { group: 'Ask', path: '/whats-changed?input=files', title: 'Check a lockfile', sub: 'choose, paste or drop' },
    { group: 'More', path: '/search', title: 'Search everything', sub: 'notes, passages, organizations' },
  ];
}

function everything(q) {
  return { group: 'More', path: `/search?q=${encodeURIComponent(q)}`, title: `Search everything for “${q}”` };
}

// The browser may keep nothing.
function recent() {
  try {
    const kept = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    return Array.isArray(kept)
      ? kept.filter(({ path, title }) => /^\/(?!\/)/.test(path) && title).slice(0, MOST_RECENT)
      : [];
  } catch {
    return [];
  }
}

function remember({ path, title }) {
  try {
    const others = recent().filter((one) => one.path !== path);
    localStorage.setItem(RECENT, JSON.stringify([{ path, title }, ...others].slice(0, MOST_RECENT)));
  } catch {
    // The link leads on all the same.
  }
}

function askedHits(answer) {
  if (!answer) return [];
  const { upgrade, packages, unread } = answer;
  return [
    ...(upgrade ? [{ group: 'Packages', path: upgrade.path, title: upgrade.sentence, kind: 'Update' }] : []),
    ...packages.map(({ name, ecosystem, latest, webUrl }) => ({
      group: 'Packages',
      path: sitePath(webUrl),
      title: name,
      kind: ecosystem,
      sub: latest ? `latest ${latest}` : '',
    })),
    ...(unread && packages.length === 0
      ? [{ group: 'Not in this registry', path: unread.path, title: `Read ${unread.name} on ${unread.ecosystem} now` }]
      : []),
  ];
}

function hitsOf(answer) {
  if (!answer) return [];
  return [
    ...answer.orgs.map((org) => ({ group: 'Organizations', path: `/${org.slug}`, title: org.name })),
    ...answer.catalog.map((entry) => ({
      group: 'Sources',
      path: entry.orgSlug ? `/${entry.orgSlug}/${entry.slug}` : `/source/${entry.slug}`,
      title: entry.name,
      kind: entry.entryType === 'product' ? 'Product' : 'Source',
      sub: entry.orgName,
    })),
    ...answer.releases.map((release) => ({
      group: 'Releases',
      path: sitePath(release.webUrl),
      title: release.titleShort ?? release.title,
      kind: [BREAKS[release.breaking], release.version ?? 'Release'].filter(Boolean).join(', '),
      sub: release.orgName ?? release.sourceName,
    })),
  ];
}

function distinct(hits) {
  return [...new Map(hits.toReversed().map((hit) => [hit.path, hit])).values()].reverse();
}

function groupsOf(hits) {
  const groups = [];
  for (const [index, hit] of hits.entries()) {
    if (hit.group !== hits[index - 1]?.group) {
      const element = document.createElement('div');
      element.setAttribute('role', 'group');
      element.setAttribute('aria-label', hit.group);
      const name = part('hit-group', hit.group);
      name.setAttribute('aria-hidden', 'true');
      element.append(name);
      groups.push(element);
    }
    groups.at(-1).append(hitElement(hit, index));
  }
  return groups;
}

function hitElement({ path, title, kind, sub }, index) {
  const link = document.createElement('a');
  link.className = 'hit';
  link.id = `hit-${index}`;
  link.href = path;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  link.setAttribute('aria-selected', 'false');
  link.append(part('ttl', title), part('muted small', kind ?? ''));
  if (sub) link.append(part('sub', sub));
  link.addEventListener('click', () => remember({ path, title }));
  return link;
}

function part(className, text) {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}

function createDialog() {
  if (typeof HTMLDialogElement === 'undefined') return null;
  const element = document.createElement('dialog');
  element.className = 'dialog';
  element.setAttribute('aria-label', 'Search');
  const box = document.createElement('div');
  box.className = 'searchbox';
  const input = document.createElement('input');
  input.className = 'input';
  input.type = 'text';
  input.autocomplete = 'off';
  input.placeholder = 'Search';
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': 'Search',
    'aria-expanded': 'false',
    'aria-controls': 'quick-hits',
    'aria-autocomplete': 'list',
  })) {
    input.setAttribute(name, value);
  }
  box.append(input);
  const list = document.createElement('div');
  list.className = 'hits';
  list.id = 'quick-hits';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Hits');
  const status = document.createElement('p');
  status.className = 'dialog-foot';
  status.setAttribute('role', 'status');
  element.append(box, list, status);
  document.body.append(element);
  return { element, input, list, status };
}
