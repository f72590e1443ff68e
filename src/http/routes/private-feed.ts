import { z } from 'zod';
import { privateAtomFeed } from '../../accounts/following/atom.ts';
import type { PrivateFeed, PrivateFeedInput } from '../../accounts/private-feed.ts';
import { stackAtomFeed } from '../../accounts/stacks/atom.ts';
import { param } from '../../contract/parameters.ts';
import { ATOM_TYPE } from '../../domain/atom/feed.ts';
import { Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { meaningFilter, meaningQuery } from './feed-query.ts';

export const privateFeedRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/feed/{token}',
    summary: 'The private Atom feed of an account; the token in the address opens it, with or without .atom',
    description:
      'Releases of everything that the account follows, as Atom. With `minBreaking`, `minImportance` or `security` a release is listed when it meets any of those that are given. The secret in the address is the credential; a wrong or closed one is answered 404.',
    tag: 'Account',
    access: 'public',
    query: { cursor: param.cursor, ...meaningQuery },
    answers: { 200: z.string() },
    mediaType: 'application/atom+xml',
    example:
      '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>Followed releases</title></feed>',
    errors: ['not_found', 'invalid_cursor'],
    run: async (ctx, asked) => atomReply(await privateAtomFeed(ctx, feedInput(asked))),
  }),
  route({
    method: 'GET',
    path: '/feed/stack/{token}',
    summary: 'The Atom feed of a stack; the token in the address opens it, with or without .atom',
    description:
      'Releases of the packages of a stack above the installed versions, as Atom. With `minBreaking`, `minImportance` or `security` a release is listed when it meets any of those that are given. The secret in the address is the credential; a wrong or closed one is answered 404.',
    tag: 'Stacks',
    access: 'public',
    query: { cursor: param.cursor, ...meaningQuery },
    answers: { 200: z.string() },
    mediaType: 'application/atom+xml',
    example:
      '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>web-shop</title></feed>',
    errors: ['not_found', 'invalid_cursor'],
    run: async (ctx, asked) => atomReply(await stackAtomFeed(ctx, feedInput(asked))),
  }),
];

interface AskedFeed {
  params: Record<string, string>;
  query: Parameters<typeof meaningFilter>[0] & { cursor?: string };
}

function feedInput({ params, query }: AskedFeed): PrivateFeedInput {
  return { token: params.token ?? '', cursor: query.cursor, meaning: meaningFilter(query) };
}

function atomReply({ document, modified }: PrivateFeed): Reply {
  return new Reply(200, document, {
    'Content-Type': ATOM_TYPE,
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
    ...(modified && { 'Last-Modified': modified.toUTCString() }),
  });
}
