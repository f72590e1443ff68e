// The API reference: a filter over all calls, and a form beside the parameters that sends a request.
const SHOWN_HEADERS = [
  'content-type',
  'etag',
  'cache-control',
  'location',
  'ratelimit',
  'x-cache',
  'server-timing',
  'x-request-id',
];

export function startReference() {
  const main = document.querySelector('main[data-page="api"]');
  if (!main) return;
  const tools = main.querySelector('#tools');
  if (tools) {
    tools.hidden = false;
    tools.addEventListener('submit', (event) => event.preventDefault());
  }
  startFilter(main);
  for (const call of main.querySelectorAll('details.call')) {
    call.addEventListener('toggle', () => call.open && !call.querySelector('form') && addForm(call));
  }
  addEventListener('hashchange', openTarget);
  openTarget();
}

function startFilter(main) {
  const filter = main.querySelector('#filter');
  if (!filter) return;
  const calls = [...main.querySelectorAll('li[data-words]')].map((item) => ({
    item,
    text: `${item.textContent} ${item.dataset.words}`.toLowerCase(),
  }));
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { item, text } of calls) item.hidden = !words.every((word) => text.includes(word));
    for (const section of main.querySelectorAll('.call-group')) {
      section.hidden = section.querySelector('li:not([hidden])') === null;
    }
    const found = calls.filter(({ item }) => !item.hidden).length;
    main.querySelector('#found').textContent = words.length === 0 ? '' : `${found} of ${calls.length} calls`;
  };
  filter.addEventListener('input', apply);
  // A browser that comes back to the page fills the field again.
  addEventListener('pageshow', apply);
}

// Opens the call that the address names. In a list of links, the page that the named one leads to is opened instead.
function openTarget() {
  const name = decodeURIComponent(location.hash.slice(1));
  const target = document.getElementById(name);
  if (target?.tagName === 'DETAILS') {
    target.open = true;
    target.scrollIntoView();
  } else if (target?.tagName === 'LI') {
    location.replace(target.querySelector('a').href);
  } else if (!target && name.startsWith('schema-')) {
    location.replace(`/v1/docs/schemas#${name}`);
  }
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
