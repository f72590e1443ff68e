import { starterState } from '../../contract/starter.ts';
import { starterProgress, stopStarter } from '../../packages/starter/starter.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const NONE = { done: 0, total: 0, state: 'done' } as const;

export const starterRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/starter',
    summary: 'How many of the well-known packages are read',
    description:
      'A registry that was filled with the sample reads well-known packages by itself, behind everything else.',
    tag: 'Administration',
    access: 'admin',
    answers: { 200: starterState },
    run: async (ctx) => (await starterProgress(ctx)) ?? NONE,
  }),
  route({
    method: 'DELETE',
    path: '/admin/starter',
    summary: 'Stop reading well-known packages',
    description: 'What is being read now is read to its end. What was read stays.',
    tag: 'Administration',
    access: 'admin',
    answers: { 200: starterState },
    run: async (ctx) => (await stopStarter(ctx)) ?? NONE,
  }),
];
