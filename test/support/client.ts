// A small HTTP client for tests: an answer is its status, its headers and its body, and no status is an error.

export interface Answer {
  status: number;
  headers: Headers;
  // Parsed when it is JSON, else text. Tests know what they asked for, so it is not checked here.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts.
  body: any;
  text: string;
}

type HeaderValues = Record<string, string>;

export interface Client {
  get(path: string, headers?: HeaderValues): Promise<Answer>;
  head(path: string, headers?: HeaderValues): Promise<Answer>;
  delete(path: string, headers?: HeaderValues): Promise<Answer>;
  // A string is sent as it is, anything else as JSON.
  post(path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>;
  put(path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>;
  request(method: string, path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>;
}

export function createClient(url: string, always: HeaderValues = {}): Client {
  const request = async (method: string, path: string, body?: unknown, headers: HeaderValues = {}): Promise<Answer> => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type: HeaderValues = sent === undefined ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...type, ...always, ...headers },
      body: sent,
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text, text };
  };
  const bare = (method: string) => (path: string, headers?: HeaderValues) => request(method, path, undefined, headers);
  const withBody = (method: string) => (path: string, body?: unknown, headers?: HeaderValues) =>
    request(method, path, body, headers);
  return {
    get: bare('GET'),
    head: bare('HEAD'),
    delete: bare('DELETE'),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    request,
  };
}
