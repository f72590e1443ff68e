import { decodeText } from '../../../domain/html/decode.ts';
import type { AdapterContext } from '../contract.ts';
import { fetchFailureOf } from '../outcomes.ts';
import { samples, unproven } from '../probing.ts';
import type { FileFacts, Proof } from '../proofs.ts';
import { parseMarkdownPage } from './parse-markdown-page.ts';

const PAGE = /^\s*<(?:!doctype|html)/i;

// A text in which the changelog parser finds an entry.
export async function proveFile(ctx: AdapterContext, url: string): Promise<Proof<FileFacts>> {
  const forbidden = await ctx.robotsFailure(url);
  if (forbidden) return unproven(forbidden);
  const answer = await ctx.fetch({ url, headers: { accept: 'text/markdown, text/plain;q=0.9, */*;q=0.1' } });
  const failure = fetchFailureOf(answer, ctx.now);
  if (failure !== null || !answer.ok) return failure ? unproven(failure) : { verdict: 'unreachable', reason: 'error' };
  const text = decodeText(answer.body, { contentType: answer.headers['content-type'] });
  const items = PAGE.test(text) ? [] : parseMarkdownPage(text, { address: url, names: [], now: ctx.now });
  if (items.length === 0) return { verdict: 'refused', reason: 'no_entries', status: answer.status };
  return { verdict: 'proven', url, items: samples(items) };
}
