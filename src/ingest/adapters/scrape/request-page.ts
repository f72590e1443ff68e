// One polite, conditional request for a page; gives its text.
import type { FetchSuccess } from '../../../net/result.ts';
import type { AdapterContext, AdapterInput, Validator } from '../contract.ts';
import { documentText } from '../document-text.ts';
import { type Failure, fetchFailureOf } from '../outcomes.ts';

type PageKind = 'html' | 'markdown';

export type PageResult =
  | { kind: 'failure'; failure: Failure }
  | { kind: 'unchanged'; status: number }
  | { kind: PageKind; status: number; text: string; finalUrl: string; answer: FetchSuccess };

// Markdown is preferred, because it needs no page parser.
const ACCEPT = 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.5, */*;q=0.1';

export async function requestPage(ctx: AdapterContext, url: string, stored?: Validator): Promise<PageResult> {
  const forbidden = await ctx.robotsFailure(url);
  if (forbidden) return { kind: 'failure', failure: forbidden };
  const conditions = conditionsOf(stored);
  const answer = await ctx.fetch({ url, headers: { accept: ACCEPT, ...conditions } });
  const failure = fetchFailureOf(answer, ctx.now);
  if (failure) return { kind: 'failure', failure };
  if (!answer.ok) return malformed('no answer', null);
  const { status, headers, finalUrl } = answer;
  if (status === 304) {
    return stored === undefined ? malformed('304 without a condition', 304) : { kind: 'unchanged', status };
  }
  const text = await documentText(answer);
  const kind = kindOf(headers['content-type'], text, finalUrl);
  if (kind === null) return malformed(`wrong type: ${mimeOf(headers['content-type']) || 'unknown'}`, status);
  return { kind, status, text, finalUrl, answer };
}

// The stored answer to a request for this address; none on a first fetch, when everything has to be read.
export function storedValidator(input: AdapterInput, endpoint: string): Validator | undefined {
  if (input.firstFetch || input.backfill !== null) return undefined;
  return input.validators.find((validator) => validator.endpoint === endpoint);
}

export function validatorOf(endpoint: string, { headers }: FetchSuccess, contentHash: string): Validator {
  return {
    endpoint,
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
    contentHash,
    tokenFingerprint: null,
  };
}

function conditionsOf(stored: Validator | undefined): Record<string, string> {
  return {
    ...(stored?.etag ? { 'if-none-match': stored.etag } : {}),
    ...(stored?.lastModified ? { 'if-modified-since': stored.lastModified } : {}),
  };
}

// The content type decides, except `text/plain`, which servers use for markdown and for anything else.
function kindOf(contentType: string | undefined, text: string, url: string): PageKind | null {
  const mime = mimeOf(contentType);
  const looksLikeHtml = /^\s{0,100}(?:<!--|<!doctype html|<html|<head|<body)/i.test(text.slice(0, 500));
  if (/^text\/(?:x-)?markdown$/.test(mime)) return 'markdown';
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return 'html';
  if (looksLikeHtml) return 'html';
  const isFile = /\.(?:md|markdown|mdx|txt|rst)$/i.test(URL.parse(url)?.pathname ?? '');
  if (mime === 'text/plain' || mime === 'text/x-rst') return 'markdown';
  return isFile && (mime === '' || mime === 'application/octet-stream') ? 'markdown' : null;
}

function mimeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function malformed(detail: string, httpStatus: number | null): PageResult {
  return { kind: 'failure', failure: { outcome: 'malformed', detail, httpStatus, retryAt: null } };
}

const RENDER_MS = 60_000;

// The page as a browser shows it. The renderer is asked with `?url=` and answers with HTML.
export async function renderPage(
  ctx: AdapterContext,
  url: string,
): Promise<{ kind: 'html'; html: string } | { kind: 'failure'; failure: Failure }> {
  const renderer = new URL(ctx.settings.rendererUrl ?? '');
  renderer.searchParams.set('url', url);
  const answer = await ctx.fetch({
    url: renderer,
    limits: { firstByteMs: RENDER_MS, totalMs: RENDER_MS },
    retry: false,
  });
  const failure = fetchFailureOf(answer, ctx.now);
  // A failure of the configured renderer says nothing about the source.
  if (failure)
    return { kind: 'failure', failure: { ...failure, outcome: 'error', detail: `renderer: ${failure.detail}` } };
  const html = answer.ok ? await documentText(answer) : '';
  return { kind: 'html', html };
}
