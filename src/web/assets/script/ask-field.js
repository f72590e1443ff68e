// The one field of the home page: what is known of the text is told while it is typed, and a lockfile that is dropped anywhere on
// the page is sent to its form. Without script the form leads to the answer.
const DEBOUNCE_MS = 200;
const MOST_BYTES = 8_000_000;

export function startAsking() {
  const form = document.querySelector('form[data-form="ask"]');
  if (!form) return;
  const input = form.querySelector('[name="q"]');
  const said = form.querySelector('[data-said]');
  let timer = 0;
  let request = null;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, DEBOUNCE_MS);
  });
  takeDrops(form, said);

  async function ask() {
    request?.abort();
    const q = input.value.trim();
    if (q === '') return tell(said, []);
    request = new AbortController();
    try {
      const answer = await fetch(`/v1/ask?q=${encodeURIComponent(q)}`, {
        signal: request.signal,
        headers: { Accept: 'application/json' },
      });
      if (answer.ok) tell(said, partsOf(await answer.json()));
    } catch (error) {
      // The form can still be sent.
      if (error.name !== 'AbortError') tell(said, []);
    }
  }
}

function tell(said, parts) {
  said.replaceChildren(...parts);
  said.hidden = parts.length === 0;
}

function partsOf({ query, path, upgrade, packages, unread }) {
  const chips = document.createElement('p');
  chips.className = 'asks';
  const others = packages.slice(0, 4);
  for (const { name, latest, webUrl } of others) {
    chips.append(chip(sitePath(webUrl), name, latest ? `latest ${latest}` : 'the package'));
  }
  if (unread) chips.append(chip(unread.path, `${unread.name} on ${unread.ecosystem}`, 'not here yet: have it read'));
  if (!path.startsWith('/search') && !upgrade && !unread && others.length === 0)
    chips.append(chip(path, query, 'open'));
  chips.append(chip(`/search?q=${encodeURIComponent(query)}`, `search “${query}”`, 'in all notes'));
  return upgrade ? [...sentenceOf(upgrade), chips] : [chips];
}

const BY = { notes: 'notes', package: 'packages' };

function sentenceOf({ sentence, level, path, from, to, versions, steps, judgedBy }) {
  const first = document.createElement('p');
  first.className = 'saying';
  first.dataset.level = level;
  first.append(link(path, sentence));
  const count = `${from} to ${to}, ${versions} ${versions === 1 ? 'version' : 'versions'}.`;
  const todo = steps > 0 ? ` ${steps} ${steps === 1 ? 'step' : 'steps'} to do.` : '';
  const by = judgedBy.length > 0 ? ` By ${judgedBy.map((one) => BY[one]).join(' and ')}.` : '';
  const more = document.createElement('p');
  more.className = 'small';
  more.append(`${count}${todo}${by} `, link(path, 'Whole answer'));
  return [first, more];
}

function chip(path, text, words) {
  const element = link(path, '');
  const name = document.createElement('b');
  name.textContent = text;
  const muted = document.createElement('span');
  muted.className = 'muted';
  muted.textContent = words;
  element.append(name, muted);
  return element;
}

function link(path, text) {
  const element = document.createElement('a');
  element.href = path;
  element.textContent = text;
  return element;
}

function sitePath(url) {
  return url.replace(/^https?:\/\/[^/]+/, '');
}

function takeDrops(form, said) {
  const holdsFile = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  document.addEventListener('dragover', (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    form.classList.add('dropping');
  });
  document.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) form.classList.remove('dropping');
  });
  document.addEventListener('drop', (event) => {
    form.classList.remove('dropping');
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    if (file.size > MOST_BYTES) return refuse(said);
    sendFile(form.dataset.drop, file);
  });
}

function refuse(said) {
  const words = document.createElement('p');
  words.className = 'saying';
  words.textContent = 'This file is larger than 8 MB. A lockfile is smaller.';
  tell(said, [words]);
}

// As the form for files sends it, so that the report is a page that can be reloaded.
function sendFile(action, file) {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.enctype = 'multipart/form-data';
  form.hidden = true;
  const input = document.createElement('input');
  input.type = 'file';
  input.name = 'file';
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  form.append(input);
  document.body.append(form);
  form.submit();
}
