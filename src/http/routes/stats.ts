import { readStats } from '../../catalog/registry/stats.ts';
import { limitLike } from '../../contract/query.ts';
import { stats } from '../../contract/stats.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

export const statsRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/stats',
    summary: 'Figures of the registry, health of its sources and the latest fetches',
    description: 'Totals, how many sources are up to date, and the latest fetches, for a period of days.',
    tag: 'Registry',
    access: 'public',
    query: { days: limitLike({ default: 30, max: 3650 }) },
    answers: { 200: stats },
    cache: [300, 60],
    run: (ctx, { query }) => readStats(ctx, query),
  }),
];
