// Reads the pages behind an index list, ten new ones a run.

import { normalizeUrl } from '../../../domain/urls.ts';
import { readDocument } from '../../../threads/documents.ts';
import type { AdapterContext, AdapterInput, Item } from '../contract.ts';
import { type Failure, mayPass } from '../outcomes.ts';
import type { PageEntry } from './entry.ts';
import { ENTRY_PAGE_READING } from './entry-page-body.ts';
import { pageItem } from './page-items.ts';
import { requestPage } from './request-page.ts';

const PAGES_A_RUN = 10;
interface FollowedLinks {
  items: Item[];
  // The number of new entries that no run has read yet.
  left: number;
  // The failure that stopped the reading.
  failure: Failure | null;
}

export async function followLinks(
  ctx: AdapterContext,
  { known, names }: Pick<AdapterInput, 'known' | 'names'>,
  list: { address: string; entries: readonly PageEntry[]; confidence: number },
): Promise<FollowedLinks> {
  const knownUrls = new Set([...known.urls].flatMap((url) => [url, normalizeUrl(url) ?? url]));
  const items: Item[] = [];
  let read = 0;
  let left = 0;
  let failure: Failure | null = null;
  for (const found of list.entries) {
    const item = pageItem(list.address, found, list.confidence);
    const isKnown = item.url !== null && (knownUrls.has(item.url) || knownUrls.has(normalizeUrl(item.url) ?? item.url));
    if (isKnown || item.url === null) {
      items.push(item);
    } else if (read >= PAGES_A_RUN || failure) {
      left += 1;
    } else {
      read += 1;
      const answer = await requestPage(ctx, item.url);
      if (answer.kind === 'failure' && mayPass(answer.failure)) {
        failure = answer.failure;
        left += 1;
      } else if (answer.kind === 'html') {
        const options = { address: answer.finalUrl, names, now: ctx.now };
        const { text: html } = answer;
        items.push({ ...item, ...(await readDocument(ENTRY_PAGE_READING, { html, options }, html.length)) });
      } else {
        items.push(answer.kind === 'markdown' ? { ...item, content: answer.text } : item);
      }
    }
  }
  return { items, left, failure };
}
