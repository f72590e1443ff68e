// Adds to the reference page what a static page cannot do: a filter, and a form that tries a call.

const filter = document.querySelector('#filter');
const token = document.querySelector('#token');
const calls = [...document.querySelectorAll('details.call')];
const schemas = [...document.querySelectorAll('details.schema')];

document.querySelector('#tools').hidden = false;
document.querySelector('#tools').addEventListener('submit', (event) => event.preventDefault());

// Texts of the entries, read when they are first needed: the page is large.
const texts = new Map();
function textOf(entry) {
  if (!texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
  return texts.get(entry);
}

filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = [...calls, ...schemas];
  for (const entry of entries) entry.hidden = !words.every((word) => textOf(entry).includes(word));
  for (const section of document.querySelectorAll('main > section')) {
    section.hidden = [...section.querySelectorAll('details')].every((entry) => entry.hidden);
  }
  const found = calls.filter((call) => !call.hidden).length;
  document.querySelector('#found').textContent = words.length === 0 ? '' : `${found} of ${calls.length} calls`;
});

for (const call of calls) {
  call.addEventListener('toggle', () => call.open && !call.querySelector('form') && addForm(call));
}

// A link to a closed entry opens it.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.tagName === 'DETAILS') target.open = true;
}
addEventListener('hashchange', openTarget);
openTarget();

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function addForm(call) {
  const form = element('form', { class: 'try' }, element('h4', {}, 'Try it'));
  const fields = [...call.querySelectorAll('tr[data-name]')].map(({ dataset }) => {
    const input = element('input', { name: dataset.name, autocomplete: 'off' });
    input.required = dataset.in === 'path';
    form.append(element('label', {}, `${dataset.name} `, input));
    return { input, place: dataset.in };
  });
  const sample = call.querySelector('[data-body]');
  const body = sample ? element('textarea', { rows: '8', 'aria-label': 'Body as JSON' }) : null;
  if (body) {
    body.value = sample.textContent;
    form.append(body);
  }
  const answer = element('pre', { class: 'answer', 'aria-live': 'polite' });
  answer.hidden = true;
  form.append(element('button', {}, 'Send'), answer);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    answer.hidden = false;
    answer.textContent = '…';
    answer.textContent = await send(call.dataset, fields, body).catch((error) => String(error));
  });
  call.append(form);
}

async function send({ method, path }, fields, body) {
  const query = new URLSearchParams();
  const headers = {};
  let target = path;
  for (const { input, place } of fields) {
    if (input.value === '') continue;
    if (place === 'path') target = target.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (place === 'header') headers[input.name] = input.value;
    else query.append(input.name, input.value);
  }
  if (token.value) headers.Authorization = `Bearer ${token.value}`;
  if (body) headers['Content-Type'] = 'application/json';
  const address = query.size > 0 ? `${target}?${query}` : target;
  const response = await fetch(address, { method, headers, body: body?.value });
  const shown = ['content-type', 'etag', 'cache-control', 'location', 'ratelimit', 'x-cache', 'x-request-id'];
  const lines = shown
    .filter((name) => response.headers.has(name))
    .map((name) => `${name}: ${response.headers.get(name)}`);
  return [`${method} ${address}`, `${response.status}`, ...lines, '', pretty(await response.text())].join('\n');
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
