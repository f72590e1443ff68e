import { decodeText } from '../../../domain/html/decode.ts';
import type { AdapterContext } from '../../adapters/contract.ts';
import { fetchTrouble } from '../../adapters/outcomes.ts';
import { parseMarkdownPage } from '../../adapters/page/parse-markdown-page.ts';
import type { FileFacts, Proof } from '../../manifests/proofs.ts';
import { samples, unproven } from './probing.ts';

const PAGE = /^\s*<(?:!doctype|html)/i;

/** A text in which the changelog parser finds an entry. */
export async function proveFile(ctx: AdapterContext, url: string): Promise<Proof<FileFacts>> {
  const forbidden = await ctx.robotsTrouble(url);
  if (forbidden) return unproven(forbidden);
  const answer = await ctx.fetch({ url, headers: { accept: 'text/markdown, text/plain;q=0.9, */*;q=0.1' } });
  const trouble = fetchTrouble(answer, ctx.now);
  if (trouble !== null || !answer.ok) return trouble ? unproven(trouble) : { verdict: 'unreachable', reason: 'error' };
  const text = decodeText(answer.body, { contentType: answer.headers['content-type'] });
  const items = PAGE.test(text) ? [] : parseMarkdownPage(text, { address: url, names: [], now: ctx.now });
  if (items.length === 0) return { verdict: 'refused', reason: 'no_entries', status: answer.status };
  return { verdict: 'proven', url, items: samples(items) };
}
