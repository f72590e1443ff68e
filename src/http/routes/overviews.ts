import { overview, playbook } from '../../contract/overview.ts';
import {
  notesWritten,
  overviewInput,
  overviewInputs as overviewInputsShape,
  overviewStatuses as overviewStatusesShape,
  playbookNotes,
} from '../../contract/overview-input.ts';
import { flag, limitLike, oneOf, pageNumber } from '../../contract/query.ts';
import { deleted } from '../../contract/scalars.ts';
import { overviewStatuses } from '../../entities/orgs/overview-statuses.ts';
import { readPlaybook, writePlaybookNotes } from '../../entities/overviews/playbook.ts';
import { orgOverview, productOverview } from '../../entities/overviews/read.ts';
import { productPath } from '../../entities/resolve.ts';
import { overviewInputs } from '../../insight/overviews/inputs.ts';
import { deleteOverview, writeOverview } from '../../insight/overviews/write.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Overviews';
const PAGE_BYTES = 1024 * 1024;

const reading = {
  method: 'GET',
  summary: 'The written overview with its citations, or null',
  description:
    'The current overview in markdown, with the releases that back its passages; null where none was written.',
  tag,
  access: 'public',
  answers: { 200: overview.nullable() },
  errors: ['not_found'],
  cache: [60, 30],
  dependsOn: 'resolved',
} as const;

const writing = {
  method: 'POST',
  summary: 'Replace the overview and its citations',
  description: 'Writes the whole overview anew. Citations must point into the text that is sent.',
  tag,
  access: 'write',
  body: overviewInput,
  bodyLimit: PAGE_BYTES,
  answers: { 200: overview },
  errors: ['not_found'],
} as const;

const deleting = {
  method: 'DELETE',
  summary: 'Delete the overview; a second call changes nothing',
  description: 'Removes the overview with its citations.',
  tag,
  access: 'write',
  answers: { 200: deleted },
  errors: ['not_found'],
} as const;

export const overviewRoutes: RouteDeclaration[] = [
  route({
    ...reading,
    path: '/orgs/{org}/overview',
    run: (ctx, { params }) => orgOverview(ctx, { org: params.org ?? '' }),
  }),
  ...bothPaths('products', '/overview', {
    ...reading,
    run: (ctx, { params }) => productOverview(ctx, productPath(params)),
  }),
  route({
    ...writing,
    path: '/orgs/{org}/overview',
    run: (ctx, { params, body }) => writeOverview(ctx, { path: { org: params.org ?? '' }, overview: body }),
  }),
  ...bothPaths('products', '/overview', {
    ...writing,
    run: (ctx, { params, body }) => writeOverview(ctx, { path: { product: productPath(params) }, overview: body }),
  }),
  route({
    ...deleting,
    path: '/orgs/{org}/overview',
    run: async (ctx, { params }) => {
      await deleteOverview(ctx, { org: params.org ?? '' });
      return { deleted: true };
    },
  }),
  ...bothPaths('products', '/overview', {
    ...deleting,
    run: async (ctx, { params }) => {
      await deleteOverview(ctx, { product: productPath(params) });
      return { deleted: true };
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/overview/inputs',
    summary: 'The releases that an overview of the org would be written from',
    description:
      'Releases of the window, chosen for an overview, with the overview of today. `check=true` answers the figures alone.',
    tag,
    access: 'write',
    query: {
      window: limitLike({ default: 30, min: 7, max: 365 }).describe('Length of the window in days.'),
      limit: limitLike({ default: 50, max: 200 }),
      check: flag().describe('true answers the figures alone, without the releases.'),
    },
    answers: { 200: overviewInputsShape },
    errors: ['bad_request', 'not_found'],
    run: (ctx, { params, query: { window, limit, check } }) =>
      overviewInputs(ctx, { org: params.org ?? '', window, limit, check: check ?? false }),
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/playbook',
    summary: 'The private playbook of an org, or null',
    description: "How the organization's sources are read, with notes of operators. It is never public.",
    tag,
    access: 'credential',
    answers: { 200: playbook.nullable() },
    errors: ['not_found'],
    run: (ctx, { params }) => readPlaybook(ctx, { org: params.org ?? '' }),
  }),
  route({
    method: 'PATCH',
    path: '/orgs/{org}/playbook/notes',
    summary: 'Replace the notes of the playbook; blank notes clear them',
    description: 'Writes the notes of operators. The generated part of the playbook is not touched.',
    tag,
    access: 'write',
    body: playbookNotes,
    bodyLimit: PAGE_BYTES,
    answers: { 200: notesWritten },
    errors: ['not_found'],
    run: (ctx, { params, body }) => writePlaybookNotes(ctx, { org: params.org ?? '', notes: body.notes }),
  }),
  route({
    method: 'GET',
    path: '/admin/overviews',
    summary: 'How far behind their releases the overviews of orgs are',
    description: 'One row for each organization, most behind first. `format=plan` adds what should be done.',
    tag: 'Administration',
    access: 'admin',
    query: {
      staleDays: limitLike({ default: 7, max: 3650 }).describe(
        'After how many days behind its releases an overview counts as stale.',
      ),
      missing: flag().describe('true: only organizations without an overview.'),
      hasActivity: flag().describe('true: only organizations with recent releases.'),
      format: oneOf(['plan']).describe('`plan` adds to each row what should be done.'),
      page: pageNumber(),
      limit: limitLike({ default: 200, max: 500 }),
    },
    answers: { 200: overviewStatusesShape },
    errors: ['bad_request'],
    run: (ctx, { query: { format, ...query } }) => overviewStatuses(ctx, { ...query, plan: format === 'plan' }),
  }),
];
