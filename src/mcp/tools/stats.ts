import { z } from 'zod';
import { type Stats, stats as statsShape } from '../../contract/stats.ts';
import { listCut, MAX_TOKENS } from '../budget.ts';
import { blocks, bullets, facts, lines, section } from '../markdown.ts';
import { inline } from '../quoting.ts';
import { fitResult } from '../result.ts';
import { COMPLETE } from '../shapes.ts';
import { tool } from '../tool.ts';

const MAX_ROWS = 20;

export const stats = tool({
  name: 'stats',
  title: 'Figures of the registry',
  description: 'How much the registry holds, how many sources are up to date, and the latest checks.',
  input: { days: z.int().min(1).max(365).default(30).describe('Length of the period in days, counted back from now.') },
  output: {
    ...statsShape.shape,
    sourceActivity: statsShape.shape.sourceActivity.max(MAX_ROWS),
  },
  async run({ api, maxTokens, given }, { days }) {
    const answer = await api.get('/stats', { query: { days } });
    const whole = { ...answer, sourceActivity: answer.sourceActivity.slice(0, MAX_ROWS) };
    const isLimited = answer.sourceActivity.length > MAX_ROWS;
    const rowsOf = ({ sourceActivity, recentActivity }: Stats) => sourceActivity.length + recentActivity.length;
    return fitResult<Stats>(
      {
        value: whole,
        cuts: [listCut('recentActivity'), listCut('sourceActivity')],
        text: statsText,
        truncation(value, cut) {
          if (!cut && !isLimited) return COMPLETE;
          const next = cut && maxTokens < MAX_TOKENS ? { ...given, max_tokens: MAX_TOKENS } : null;
          return {
            truncated: true,
            reason: cut ? 'token_budget' : 'limit',
            omitted: rowsOf(answer) - rowsOf(value),
            next,
          };
        },
      },
      maxTokens,
    );
  },
});

function statsText({ orgs, products, sources, releases, totals, period, sourceHealth, ...activity }: Stats): string {
  return blocks(
    '# Figures of the registry',
    lines(
      facts(`${orgs} organizations`, `${products} products`, `${sources} sources`, `${releases} releases`),
      `${totals.releasesInPeriod} releases in the last ${period.days} days`,
      facts(
        `sources up to date ${sourceHealth.upToDate}`,
        `stale ${sourceHealth.stale}`,
        `never fetched ${sourceHealth.neverFetched}`,
      ),
    ),
    section(
      'Most active sources',
      bullets(
        activity.sourceActivity.map((row) =>
          facts(
            inline(row.sourceName),
            row.orgName !== null && inline(row.orgName),
            row.sourceType,
            `${row.recentReleases} recent of ${row.totalReleases} releases`,
            row.lastFetchedAt === null ? 'never fetched' : `fetched ${row.lastFetchedAt}`,
          ),
        ),
      ),
    ),
    section(
      'Latest checks',
      bullets(
        activity.recentActivity.map((row) =>
          facts(
            row.createdAt,
            inline(row.sourceName),
            row.status,
            `${row.releasesInserted} new of ${row.releasesFound} found`,
            row.error !== null && inline(row.error),
          ),
        ),
      ),
    ),
  );
}
