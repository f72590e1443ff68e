import { param } from '../../contract/parameters.ts';
import { flag, limitLike, oneOf, requiredText, text } from '../../contract/query.ts';
import {
  whatsChangedBatch as batchAnswer,
  MAX_QUERY_CHARACTERS,
  UPGRADE_ECOSYSTEMS,
  whatsChangedAnswer,
  whatsChangedBatchInput,
} from '../../contract/whats-changed.ts';
import { DEFAULT_TOKENS } from '../../domain/upgrade/budget.ts';
import { whatsChanged, whatsChangedBatch } from '../../packages/whats-changed/index.ts';
import { whatsChangedMarkdown } from '../../packages/whats-changed/markdown.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { whatsChangedBatchBody, whatsChangedBatchExample, whatsChangedExample } from './examples.ts';

const tag = 'Upgrades';
const textLimit = { max: MAX_QUERY_CHARACTERS };

// This many items of a batch cost as much as one read.
const ITEMS_PER_READ = 10;

export const whatsChangedRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/whats-changed',
    summary: 'What changed between two versions of a package (beta)',
    description:
      'All releases after `from` up to `to`, oldest first, with verdicts on breaking changes and what to do. `status: unknown` and `history.complete: false` say what the registry cannot back. `Accept: text/markdown` answers it as text.',
    tag,
    access: 'public',
    query: {
      package: requiredText(textLimit).meta({
        description: 'Package name, source slug, src_ id or GitHub coordinate, for example `left-pad` or `acme/cli`.',
        example: '@acme/cli',
      }),
      from: requiredText(textLimit).meta({
        description: 'Version in use, or a range of a manifest such as `^1.2.0`. It is not part of the answer.',
        example: '1.0.0',
      }),
      to: requiredText(textLimit).meta({
        description: 'Version to go to, or a tag of the package, such as `latest` or `next`.',
        example: 'latest',
      }),
      ecosystem: oneOf(UPGRADE_ECOSYSTEMS).describe('Package ecosystem; needed where the same name exists in several.'),
      org: text().describe('Organization of the package, where its name is not unique.'),
      include_prereleases: param.include_prereleases,
      breaking_only: flag().describe('true: only releases with a minor or major break; all are counted.'),
      findings: oneOf(['all'] as const).describe(
        '`all`: every finding of the packages instead of the first 20 of each pair.',
      ),
      tokens: limitLike({ default: DEFAULT_TOKENS, min: 500, max: 100_000 }).describe(
        'Budget of the answer in tokens (about four characters each).',
      ),
    },
    answers: { 200: whatsChangedAnswer },
    example: whatsChangedExample,
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    markdown: (answer, { query: { org, include_prereleases, breaking_only, tokens } }) =>
      whatsChangedMarkdown(answer, {
        org,
        include_prereleases,
        breaking_only,
        ...(tokens === DEFAULT_TOKENS ? {} : { tokens }),
      }),
    run: (ctx, { query: { include_prereleases, breaking_only, ...question } }) =>
      whatsChanged(ctx, { ...question, includePrereleases: include_prereleases, breakingOnly: breaking_only }),
  }),
  route({
    method: 'POST',
    path: '/whats-changed/batch',
    summary: 'What changed in up to 100 packages, with one budget for all (beta)',
    description:
      'The same question for a whole lockfile in one call; each item is answered or refused on its own, with `payload_too_large` once the ranges before it have 150,000 published versions together. Ten items count as one read for the rate limit.',
    tag,
    access: 'public',
    body: whatsChangedBatchInput,
    bodyExample: whatsChangedBatchBody,
    example: whatsChangedBatchExample,
    answers: { 200: batchAnswer },
    reads: ({ items }) => Math.ceil(items.length / ITEMS_PER_READ),
    run: (ctx, { body }) => whatsChangedBatch(ctx, body),
  }),
];
