// Reads pages of the agent's own site as markdown, within a budget.
import { parseHtml } from '../../../domain/html/parse.ts';
import { htmlToMarkdown } from '../../../domain/html/to-markdown.ts';
import { normalizeUrl } from '../../../domain/urls.ts';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import type { AdapterContext } from '../contract.ts';
import { documentText } from '../document-text.ts';
import { type Failure, fetchFailureOf } from '../outcomes.ts';
import type { AllowedHosts } from './allowed-hosts.ts';

export interface ReadPage {
  url: string;
  html: string;
  markdown: string;
}

export type ReadResult =
  | { ok: true; page: ReadPage; answer: { status: number; headers: Readonly<Record<string, string>> } }
  | { ok: false; failure: Failure };

export class PageReader {
  // A page is stored under every address that led to it.
  readonly #pages = new Map<string, ReadPage>();
  readonly #ctx: AdapterContext;
  readonly #hosts: AllowedHosts;
  fetches = 0;

  constructor(ctx: AdapterContext, hosts: AllowedHosts) {
    this.#ctx = ctx;
    this.#hosts = hosts;
  }

  find(url: string): ReadPage | null {
    return this.#pages.get(keyOf(url)) ?? null;
  }

  async read(url: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<ReadResult> {
    if (!this.#hosts.allows(url)) return refused(`only pages of ${this.#hosts.names.join(', ')} can be read`);
    const forbidden = await this.#ctx.robotsFailure(url);
    if (forbidden) return { ok: false, failure: forbidden };
    this.fetches += 1;
    const answer = await this.#ctx.fetch({
      url,
      headers: { accept: 'text/html, text/markdown;q=0.9, text/plain;q=0.8, */*;q=0.1', ...headers },
      mayRedirect: (_from, to) => this.#hosts.allows(to.href),
      signal,
    });
    const failure = fetchFailureOf(answer, this.#ctx.now);
    if (failure || !answer.ok) return { ok: false, failure: failure ?? malformed('no answer') };
    const type = answer.headers['content-type'] ?? '';
    if (answer.status !== 304 && !/^(?:text\/|application\/(?:xhtml|json|xml))|^$/i.test(type)) {
      return { ok: false, failure: malformed(`wrong type: ${type.split(';', 1)[0]}`) };
    }
    const text = await documentText(answer);
    const isHtml = /html/i.test(type) || /^\s{0,100}<(?:!doctype|html)/i.test(text.slice(0, 200));
    const { finalUrl: address } = answer;
    const markdown = isHtml ? await readDocument(PAGE_TEXT, { html: text, address }, text.length) : text;
    const page = { url: answer.finalUrl, html: isHtml ? text : '', markdown };
    for (const address of [url, answer.finalUrl]) this.#pages.set(keyOf(address), page);
    return { ok: true, page, answer };
  }
}

export function pageMarkdown({ html, address }: { html: string; address: string }): string {
  return htmlToMarkdown(parseHtml(html).children, { address });
}

const PAGE_TEXT = threadTask(import.meta.url, pageMarkdown);

function keyOf(url: string): string {
  return (normalizeUrl(url) ?? url).replace(/#.*$/, '');
}

function refused(detail: string): ReadResult {
  return { ok: false, failure: { outcome: 'error', detail, httpStatus: null, retryAt: null } };
}

function malformed(detail: string): Failure {
  return { outcome: 'malformed', detail, httpStatus: null, retryAt: null };
}
