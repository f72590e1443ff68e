// The digest mail of the caller's account.
import { putDigest, readDigest } from '../../accounts/digest/settings.ts';
import { digestInput, digestSettings } from '../../contract/digest.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Stacks';

export const meDigestRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/me/digest',
    summary: 'When the account gets a digest by mail, and what it tells',
    description: 'Off unless it was switched on.',
    tag,
    access: 'account',
    answers: { 200: digestSettings },
    run: (ctx) => readDigest(ctx),
  }),
  route({
    method: 'PUT',
    path: '/me/digest',
    summary: 'Switch the digest mail on or off, and choose its time',
    description:
      'A daily or weekly mail of what is new in stacks and follows: breaks and security fixes first, and no mail without news. Needs a verified address. With `minBreaking`, `minImportance` or `security` an update is told when it meets any of those that are given.',
    tag,
    access: 'account:write',
    body: digestInput,
    answers: { 200: digestSettings },
    errors: ['forbidden', 'service_unavailable'],
    run: (ctx, { body }) => putDigest(ctx, body),
  }),
];
