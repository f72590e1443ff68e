import { z } from 'zod';
import { kind, sourceType } from '../../contract/enums.ts';
import { count } from '../../contract/pagination.ts';
import { timestamp } from '../../contract/scalars.ts';
import { type SourceDetail, sourceDetail } from '../../contract/source.ts';
import { excerptCut, listCut, MAX_TOKENS } from '../budget.ts';
import { blocks, bullets, day, facts, lines, QUOTE_NOTE, releaseBlocks, section } from '../markdown.ts';
import { inline, link, quoted, shortened } from '../quoting.ts';
import { locateSource } from '../references.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, excerptItem, releaseListItem, scopedName, toListItem } from '../shapes.ts';
import { tool } from '../tool.ts';

const LATEST = 10;

const sourceFacts = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type: sourceType,
  kind: kind.nullable(),
  url: z.string(),
  org: z.string().nullable().describe('Argument `org` of other tools.'),
  product: z.string().nullable().describe('Argument `product` of other tools.'),
  releaseCount: count,
  releasesLast30Days: count,
  latestVersion: z.string().nullable(),
  latestDate: timestamp.nullable(),
  lastCheckedAt: timestamp.nullable().describe('When the source was last asked; null: never.'),
  nextCheckAt: timestamp.nullable().describe('When it will be asked again; null: not planned.'),
  state: z.enum(['ok', 'failing', 'paused', 'never_fetched']).describe('How the last check went.'),
  outcome: z.string().nullable().describe('Outcome of the last check; null: there was none.'),
  stateSince: timestamp.nullable().describe('Since when it has been in this state; null: not known.'),
  consecutiveErrors: count,
});

const changelogFile = z.object({ path: z.string(), url: z.string(), bytes: count, canonical: z.boolean() });

const output = {
  source: sourceFacts,
  summaries: sourceDetail.shape.summaries,
  latest: z.array(releaseListItem).describe('The newest releases.'),
  changelogFiles: z.array(changelogFile).describe('Files that get_changelog reads.'),
};

type SourceResult = z.output<z.ZodObject<typeof output>>;

export const getSource = tool({
  name: 'get_source',
  title: 'Read a source',
  description:
    'One source with the state of its checks, its summaries, newest releases and changelog files. Tells whether what the registry has is current.',
  input: { source: z.string().trim().min(1).max(300).describe('org/slug, src_ id, or a unique slug.') },
  output,
  async run({ api, maxTokens, given }, { source }) {
    const { path, params } = await locateSource(api, source);
    const detail = await api.get(path, { params, query: { limit: LATEST, include_content: false } });
    // The shortest slice, for the list of files that comes with it.
    const slice = detail.hasChangelogFile ? await api.get(`${path}/changelog`, { params, query: { limit: 1 } }) : null;
    const files = (slice?.files ?? []).map((file) => changelogFile.parse(file));
    const whole: SourceResult = {
      source: factsOf(detail),
      summaries: detail.summaries,
      latest: detail.releases.map(toListItem),
      changelogFiles: files,
    };
    return fitResult<SourceResult>(
      {
        value: whole,
        cuts: [
          listCut('changelogFiles', 5),
          monthlyCut,
          listCut('latest', 3),
          excerptCut(excerpts),
          listCut('changelogFiles'),
          listCut('latest'),
        ],
        text: sourceText,
        truncation: (value, cut) =>
          cut
            ? {
                truncated: true,
                reason: 'token_budget',
                omitted: itemsOf(whole) - itemsOf(value),
                next: maxTokens < MAX_TOKENS ? { ...given, max_tokens: MAX_TOKENS } : null,
              }
            : COMPLETE,
      },
      maxTokens,
    );
  },
});

function factsOf(detail: SourceDetail): z.infer<typeof sourceFacts> {
  const { org, fetchState } = detail;
  return sourceFacts.parse({
    ...detail,
    org: org?.slug ?? null,
    product:
      detail.productId &&
      detail.productSlug &&
      scopedName(org?.slug, { id: detail.productId, slug: detail.productSlug }),
    lastCheckedAt: detail.lastPolledAt ?? detail.lastFetchedAt,
    nextCheckAt: fetchState.nextCheckAt,
    state: fetchState.state,
    outcome: fetchState.outcome,
    stateSince: fetchState.since,
  });
}

const monthlyCut = {
  most: ({ summaries }: SourceResult) => summaries.monthly.length,
  apply: (value: SourceResult, steps: number): SourceResult => {
    const { monthly } = value.summaries;
    return { ...value, summaries: { ...value.summaries, monthly: monthly.slice(0, monthly.length - steps) } };
  },
};

function itemsOf({ summaries, latest, changelogFiles }: SourceResult): number {
  return summaries.monthly.length + latest.length + changelogFiles.length;
}

function excerpts(value: SourceResult, length: number): SourceResult {
  const { rolling } = value.summaries;
  const summary = rolling && { ...rolling, summary: shortened(rolling.summary, length) };
  return {
    ...value,
    summaries: { ...value.summaries, rolling: summary },
    latest: value.latest.map((item) => excerptItem(item, length)),
  };
}

function sourceText({ source, summaries, latest, changelogFiles }: SourceResult): string {
  const { rolling, monthly } = summaries;
  return blocks(
    `# ${inline(source.name)}`,
    lines(
      facts(
        source.id,
        source.type,
        source.kind,
        source.org !== null && `org ${source.org}`,
        source.product !== null && `product ${source.product}`,
      ),
      link(source.url),
      facts(
        `${source.releaseCount} releases`,
        `${source.releasesLast30Days} in the last 30 days`,
        source.latestVersion !== null && `latest ${inline(source.latestVersion)} of ${day(source.latestDate)}`,
      ),
      facts(
        `state ${source.state.replaceAll('_', ' ')}${source.stateSince === null ? '' : ` since ${source.stateSince}`}`,
        source.outcome !== null && `last outcome ${source.outcome}`,
        source.lastCheckedAt === null ? 'never checked' : `last checked ${source.lastCheckedAt}`,
        source.nextCheckAt === null ? 'no check planned' : `next check ${source.nextCheckAt}`,
        source.consecutiveErrors > 0 && `${source.consecutiveErrors} errors in a row`,
      ),
    ),
    source.state === 'failing' && 'The last checks failed: newer releases may be missing.',
    QUOTE_NOTE,
    rolling && section(`Summary of the last ${rolling.windowDays ?? 30} days`, quoted(rolling.summary)),
    ...monthly.map((each) =>
      section(`Summary of ${each.year}-${String(each.month).padStart(2, '0')}`, quoted(each.summary)),
    ),
    section('Latest releases', releaseBlocks(latest) || 'None.'),
    section(
      'Changelog files',
      bullets(changelogFiles.map((file) => facts(inline(file.path), `${file.bytes} bytes`, link(file.url)))),
    ),
  );
}
