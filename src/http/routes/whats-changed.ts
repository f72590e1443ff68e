import { flag, limitLike, oneOf, requiredText, text } from '../../contract/query.ts';
import {
  whatsChangedBatch as batchAnswer,
  MOST_ASKED_CHARACTERS,
  UPGRADE_ECOSYSTEMS,
  whatsChangedAnswer,
  whatsChangedBatchInput,
} from '../../contract/whats-changed.ts';
import { DEFAULT_TOKENS } from '../../domain/upgrade/budget.ts';
import { whatsChanged, whatsChangedBatch } from '../../insight/whats-changed/index.ts';
import { whatsChangedMarkdown } from '../../insight/whats-changed/markdown.ts';
import { type RouteDeclaration, route } from '../route.ts';

const tag = 'Upgrades';
const asked = { max: MOST_ASKED_CHARACTERS };

// So many questions of a batch cost as much as one read.
const ITEMS_PER_READ = 10;

export const whatsChangedRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/whats-changed',
    summary: 'What changed between two versions of a package (beta)',
    tag,
    access: 'public',
    query: {
      package: requiredText(asked),
      from: requiredText(asked),
      to: requiredText(asked),
      ecosystem: oneOf(UPGRADE_ECOSYSTEMS),
      org: text(),
      include_prereleases: flag(),
      tokens: limitLike({ default: DEFAULT_TOKENS, min: 500, max: 100_000 }),
    },
    answers: { 200: whatsChangedAnswer },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    markdown: (answer, { query: { org, include_prereleases, tokens } }) =>
      whatsChangedMarkdown(answer, {
        org,
        include_prereleases,
        ...(tokens === DEFAULT_TOKENS ? {} : { tokens }),
      }),
    run: (ctx, { query: { include_prereleases, ...question } }) =>
      whatsChanged(ctx, { ...question, includePrereleases: include_prereleases }),
  }),
  route({
    method: 'POST',
    path: '/whats-changed/batch',
    summary: 'What changed in up to 100 packages, with one budget for all (beta)',
    tag,
    access: 'public',
    body: whatsChangedBatchInput,
    answers: { 200: batchAnswer },
    reads: ({ items }) => Math.ceil(items.length / ITEMS_PER_READ),
    run: (ctx, { body }) => whatsChangedBatch(ctx, body),
  }),
];
