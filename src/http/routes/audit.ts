import { listAuditLog } from '../../catalog/registry/audit-log.ts';
import { auditLog } from '../../contract/admin-logs.ts';
import { limitLike, text } from '../../contract/query.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

export const auditRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/audit',
    summary: 'Writes of operators, newest first',
    description:
      'The audit log: who changed what and when, with the state before and after as far as it is logged. All filters narrow the list together.',
    tag: 'Administration',
    access: 'admin',
    query: {
      actor: text(),
      target: text(),
      action: text(),
      after: text({ max: 64 }),
      before: text({ max: 64 }),
      limit: limitLike({ default: 50, max: 200 }),
      cursor: text({ max: 100_000 }),
    },
    answers: { 200: auditLog },
    errors: ['bad_request', 'invalid_cursor'],
    run: (ctx, { query }) => listAuditLog(ctx, query),
  }),
];
