import {
  orgActivity as orgActivityShape,
  orgHeatmap as orgHeatmapShape,
  orgSparklines as orgSparklinesShape,
  productActivity as productActivityShape,
  productHeatmap as productHeatmapShape,
  sourceActivity as sourceActivityShape,
  sourceHeatmap as sourceHeatmapShape,
} from '../../contract/activity.ts';
import { text } from '../../contract/query.ts';
import { orgHeatmap, productHeatmap, sourceHeatmap } from '../../entities/activity/counts.ts';
import { orgActivity, productActivity, sourceActivity } from '../../entities/activity/weekly.ts';
import { orgSparklines } from '../../entities/orgs/sparklines.ts';
import { productPath, sourcePath } from '../../entities/resolve.ts';
import { bothPaths, type RouteDeclaration, route } from '../kernel/route.ts';

const range = {
  from: text({ max: 32 }).describe('First day of the range (YYYY-MM-DD).'),
  to: text({ max: 32 }).describe('Last day of the range (YYYY-MM-DD).'),
};

const weekly = {
  method: 'GET',
  summary: 'Releases by week, starting on Mondays UTC',
  description:
    'Counts of releases per calendar week, for the whole and for each source, with the first and last version of the week. Weeks without a release are left out; weeks in which a source could not be read are listed in `unreadWeeks`. Without `from` and `to` the range is that of the stored releases.',
  tag: 'Activity',
  access: 'public',
  query: range,
  errors: ['bad_request', 'not_found'],
  cache: [120, 60],
  dependsOn: 'resolved',
} as const;

const daily = {
  method: 'GET',
  summary: 'Releases by day over the last 365 days',
  description: 'Counts of releases per day in UTC, for drawing a calendar. Days without a release are left out.',
  tag: 'Activity',
  access: 'public',
  errors: ['not_found'],
  cache: [120, 60],
  dependsOn: 'resolved',
} as const;

export const activityRoutes: RouteDeclaration[] = [
  route({
    ...weekly,
    path: '/orgs/{org}/activity',
    answers: { 200: orgActivityShape },
    run: (ctx, { params, query }) => orgActivity(ctx, { org: params.org ?? '', range: query }),
  }),
  ...bothPaths('products', '/activity', {
    ...weekly,
    answers: { 200: productActivityShape },
    run: (ctx, { params, query }) => productActivity(ctx, { path: productPath(params), range: query }),
  }),
  ...bothPaths('sources', '/activity', {
    ...weekly,
    answers: { 200: sourceActivityShape },
    run: (ctx, { params, query }) => sourceActivity(ctx, { path: sourcePath(params), range: query }),
  }),
  route({
    ...daily,
    path: '/orgs/{org}/heatmap',
    answers: { 200: orgHeatmapShape },
    run: (ctx, { params }) => orgHeatmap(ctx, { org: params.org ?? '' }),
  }),
  ...bothPaths('products', '/heatmap', {
    ...daily,
    answers: { 200: productHeatmapShape },
    run: (ctx, { params }) => productHeatmap(ctx, productPath(params)),
  }),
  ...bothPaths('sources', '/heatmap', {
    ...daily,
    answers: { 200: sourceHeatmapShape },
    run: (ctx, { params }) => sourceHeatmap(ctx, sourcePath(params)),
  }),
  route({
    ...daily,
    path: '/orgs/{org}/sparklines',
    summary: 'Releases by day over the last 30 days: of the org, its sources and its products',
    description: 'Thirty counts each for the organization, its sources and its products, oldest day first, with zeros.',
    answers: { 200: orgSparklinesShape },
    run: (ctx, { params }) => orgSparklines(ctx, { org: params.org ?? '' }),
  }),
];
