// The API reference: a filter over its whole text, and a form beside the parameters that sends a request.
const SHOWN_HEADERS = ['content-type', 'etag', 'cache-control', 'location', 'ratelimit', 'x-cache', 'x-request-id'];

export function startReference() {
  const tools = document.querySelector('main[data-page="api"] #tools');
  if (!tools) return;
  const calls = [...document.querySelectorAll('details.call')];
  tools.hidden = false;
  tools.addEventListener('submit', (event) => event.preventDefault());
  startFilter(calls);
  for (const call of calls) {
    call.addEventListener('toggle', () => call.open && !call.querySelector('form') && addForm(call));
  }
  addEventListener('hashchange', openTarget);
  openTarget();
}

function startFilter(calls) {
  const filter = document.querySelector('#filter');
  const entries = [...calls, ...document.querySelectorAll('details.schema')];
  // The texts of the entries are read when the filter is first used, because the page is large.
  const texts = new Map();
  const textOf = (entry) => {
    if (!texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
    return texts.get(entry);
  };
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of entries) entry.hidden = !words.every((word) => textOf(entry).includes(word));
    for (const section of document.querySelectorAll('.call-group')) {
      section.hidden = [...section.querySelectorAll(':scope > details')].every((entry) => entry.hidden);
    }
    const found = calls.filter((call) => !call.hidden).length;
    document.querySelector('#found').textContent = words.length === 0 ? '' : `${found} of ${calls.length} calls`;
  });
}

// Opens a collapsed entry that the address links to.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.tagName !== 'DETAILS') return;
  target.open = true;
  target.scrollIntoView();
}

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function field(name, control) {
  return element('div', { class: 'field' }, element('label', { for: control.id }, name), control);
}

function addForm(call) {
  const form = element('form', { class: 'try' }, element('h3', {}, 'Try it'));
  const fields = [...call.querySelectorAll('.params > li[data-name]')].map(({ dataset }) => {
    const id = `${call.id}-${dataset.name}`;
    const input = element('input', { class: 'input mono', id, name: dataset.name, autocomplete: 'off' });
    input.required = dataset.in === 'path';
    form.append(field(dataset.name, input));
    return { input, paramIn: dataset.in };
  });
  const sample = call.querySelector('[data-body]');
  const body = sample ? element('textarea', { class: 'textarea mono', id: `${call.id}-body`, rows: '8' }) : null;
  if (body) {
    body.value = sample.content.textContent;
    form.append(field('Body as JSON', body));
  }
  const send = element('button', { class: 'btn primary', type: 'submit' }, 'Send');
  const answer = element('pre', { class: 'answer tall', tabindex: '0', 'aria-live': 'polite' });
  answer.hidden = true;
  form.append(send, answer);
  let running = null;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running) {
      running.abort();
      return;
    }
    running = new AbortController();
    answer.hidden = false;
    answer.textContent = '…';
    try {
      await request(call.dataset, {
        fields,
        body,
        answer,
        signal: running.signal,
        onStream: () => send.replaceChildren('Stop'),
      });
    } catch (error) {
      answer.append(error.name === 'AbortError' ? '\nStopped' : `\n${error}`);
    }
    running = null;
    send.replaceChildren('Send');
  });
  call.querySelector('[data-try]').append(form);
}

async function request({ method, path }, { fields, body, answer, signal, onStream }) {
  const query = new URLSearchParams();
  const headers = {};
  let target = path;
  for (const { input, paramIn } of fields) {
    if (input.value === '') continue;
    if (paramIn === 'path') target = target.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (paramIn === 'header') headers[input.name] = input.value;
    else query.append(input.name, input.value);
  }
  const token = document.querySelector('#token').value;
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers['Content-Type'] = 'application/json';
  const address = query.size > 0 ? `${target}?${query}` : target;
  const response = await fetch(address, { method, headers, body: body?.value, signal });
  const lines = SHOWN_HEADERS.filter((name) => response.headers.has(name)).map(
    (name) => `${name}: ${response.headers.get(name)}`,
  );
  const head = [`${method} ${address}`, `${response.status}`, ...lines, '', ''].join('\n');
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    answer.textContent = head + pretty(await response.text());
    return;
  }
  // An event stream does not end: the response is shown as it arrives, until the reader stops it.
  onStream();
  answer.textContent = head;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    answer.append(value);
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
