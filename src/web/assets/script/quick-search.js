// The search dialog: Ctrl-K, Cmd-K or / open it; arrows choose, Enter opens, Esc closes.
const DEBOUNCE_MS = 200;
const HITS = 8;
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
      location.href = chosen ? chosen.href : `/search?q=${encodeURIComponent(input.value)}`;
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
    if (q === '') {
      show([], '');
      return;
    }
    request = new AbortController();
    try {
      const answer = await fetch(`/v1/search?limit=${HITS}&q=${encodeURIComponent(q)}`, {
        signal: request.signal,
        headers: { Accept: 'application/json' },
      });
      if (!answer.ok) throw new Error(String(answer.status));
      show(hitsOf(await answer.json()), 'Nothing found');
    } catch (error) {
      if (error.name !== 'AbortError') show([], 'Search does not answer. Press Enter to try the search page.');
    }
  }

  function show(hits, words) {
    list.replaceChildren(...hits.map(hitElement));
    input.setAttribute('aria-expanded', String(hits.length > 0));
    input.removeAttribute('aria-activedescendant');
    dialog.status.textContent = hits.length > 0 ? `${hits.length} hits` : words;
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

function hitsOf(answer) {
  return [
    ...answer.orgs.map((org) => ({ path: `/${org.slug}`, title: org.name, kind: 'Organization' })),
    ...answer.catalog.map((entry) => ({
      path: entry.orgSlug ? `/${entry.orgSlug}/${entry.slug}` : `/source/${entry.slug}`,
      title: entry.name,
      kind: entry.entryType === 'product' ? 'Product' : 'Source',
      sub: entry.orgName,
    })),
    ...answer.releases.map((release) => ({
      path: sitePath(release.webUrl),
      title: release.titleShort ?? release.title,
      kind: [BREAKS[release.breaking], release.version ?? 'Release'].filter(Boolean).join(', '),
      sub: release.orgName ?? release.sourceName,
    })),
  ].slice(0, HITS);
}

function hitElement({ path, title, kind, sub }, index) {
  const link = document.createElement('a');
  link.className = 'hit';
  link.id = `hit-${index}`;
  link.href = path;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  link.setAttribute('aria-selected', 'false');
  link.append(part('ttl', title), part('muted small', kind));
  if (sub) link.append(part('sub', sub));
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
