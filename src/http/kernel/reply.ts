// What `run` can return instead of a plain 200 body: another status, headers, cookies, or a body that is not JSON.
import type { ServerResponse } from 'node:http';
import { ATOM_TYPE } from '../../domain/atom/feed.ts';
import { endLongTurn } from '../../threads/turns.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

// The formats that a route can answer in.
export type Format = 'json' | 'html' | 'markdown' | 'atom';

export const FORMAT_TYPES: Readonly<Record<Format, string>> = {
  json: JSON_TYPE,
  html: HTML_TYPE,
  markdown: MARKDOWN_TYPE,
  atom: ATOM_TYPE,
};

// Bytes are sent unchanged, and so is text with its own `Content-Type`; everything else becomes JSON. Its own
// `Cache-Control` applies to anonymous callers; its own `Vary` replaces that of the route.
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  // Values of `Set-Cookie`.
  cookies: readonly string[] = [];
  // The body without secrets that are shown only once; stored for calls that repeat an idempotency key.
  repeatable: unknown;
  // The opaque part of the ETag, where it depends on more than the body.
  tag?: string;
  // Called with the response after its headers are sent; the response stays open and has no body of its own.
  open?: (response: ServerResponse) => void;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.repeatable = body;
  }

  repeatedAs(body: unknown): this {
    this.repeatable = body;
    return this;
  }

  withCookies(cookies: readonly string[]): this {
    this.cookies = cookies;
    return this;
  }
}

export function toReply(result: unknown): Reply {
  return result instanceof Reply ? result : new Reply(200, result);
}

// Adds headers to a reply; existing ones take precedence.
export function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  const added = new Reply(reply.status, reply.body, { ...headers, ...reply.headers });
  if (reply.tag !== undefined) added.tag = reply.tag;
  return added;
}

export function created(body: unknown, location: string): Reply {
  return new Reply(201, body, { Location: location });
}

export function noContent(): Reply {
  return new Reply(204, null);
}

// After a form the browser requests the page at `location`.
export function redirect(location: string, status: 301 | 302 | 303 | 307 | 308 = 303): Reply {
  return new Reply(status, null, { Location: location });
}

// A body that is not JSON; the kernel adds the security headers of pages to `html`.
function formatted(format: Format, text: string, status = 200): Reply {
  return new Reply(status, text, { 'Content-Type': FORMAT_TYPES[format] });
}

export function html(text: string, status = 200): Reply {
  return formatted('html', text, status);
}

// A page that may have megabytes, in parts: other requests are read between them.
export async function longHtml(parts: Iterable<string>, status = 200): Promise<Reply> {
  const bytes: Buffer[] = [];
  for (const part of parts) {
    bytes.push(Buffer.from(part, 'utf8'));
    await endLongTurn();
  }
  return new Reply(status, Buffer.concat(bytes), { 'Content-Type': HTML_TYPE });
}

// A response that stays open, such as server-sent events; `open` writes to it.
export function stream(contentType: string, open: (response: ServerResponse) => void): Reply {
  const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
  const reply = new Reply(200, null, headers);
  reply.open = open;
  return reply;
}

// The result of another route.
export interface ForwardedRead {
  // The value that the route returned, before it was written in the requested format.
  answer: unknown;
  reply: Reply;
}
