import { z } from 'zod';
import { RELATED_SCOPES } from '../../contract/related.ts';
import { excerptCut, listCut, MAX_TOKENS } from '../budget.ts';
import { blocks, QUOTE_NOTE, releaseBlocks } from '../markdown.ts';
import { releaseIdNamed } from '../references.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, excerptItem, releaseListItem, toListItem } from '../shapes.ts';
import { tool } from '../tool.ts';

const output = {
  releases: z.array(releaseListItem.extend({ score: z.number().describe('Nearness of meaning, 1 is the same.') })),
  degraded: z.boolean().describe('true: the index was not available, so there may be related releases.'),
};

type RelatedResult = z.output<z.ZodObject<typeof output>>;

export const relatedReleases = tool({
  name: 'related_releases',
  title: 'Find related releases',
  description: 'Releases that tell of something similar to one release, nearest first. To search by words use search.',
  input: {
    release: z.string().trim().min(1).max(2000).describe('rel_ id, org/source@version or page address.'),
    scope: z.enum(RELATED_SCOPES).default('global').describe('Of the same organization, or of all.'),
    limit: z.int().min(1).max(20).default(5).describe('How many to answer.'),
  },
  output,
  async run({ api, maxTokens, given }, { release, scope, limit }) {
    const query = { release: await releaseIdNamed(api, release), scope, limit };
    const { items, degraded } = await api.get('/related/releases', { query });
    const details = await Promise.all(items.map(({ id }) => api.get('/releases/{rel}', { params: { rel: id } })));
    const releases = details.map((detail, index) => ({ ...toListItem(detail), score: items[index]?.score ?? 0 }));
    return fitResult<RelatedResult>(
      {
        value: { releases, degraded },
        cuts: [
          listCut('releases', 1),
          excerptCut((value, length) => ({
            ...value,
            releases: value.releases.map((item) => excerptItem(item, length)),
          })),
        ],
        text: relatedText,
        truncation: (value, cut) =>
          cut
            ? {
                truncated: true,
                reason: 'token_budget',
                omitted: releases.length - value.releases.length,
                next: maxTokens < MAX_TOKENS ? { ...given, max_tokens: MAX_TOKENS } : null,
              }
            : COMPLETE,
      },
      maxTokens,
    );
  },
});

function relatedText({ releases, degraded }: RelatedResult): string {
  return blocks(
    '# Related releases',
    degraded && 'Degraded: the index of meanings was not available. An empty list does not mean that there are none.',
    !degraded && releases.length === 0 && 'None.',
    releases.length > 0 && QUOTE_NOTE,
    releaseBlocks(releases),
  );
}
