// The stacks of the caller's account.
import { createStackFeed, deleteStackFeed, readStackFeed } from '../../accounts/stacks/feed-token.ts';
import { deleteStack, listStacks, putStack, readStack } from '../../accounts/stacks/manage.ts';
import { markPackage } from '../../accounts/stacks/marks.ts';
import { markSeen, stackProgress, stackReport } from '../../accounts/stacks/report.ts';
import { feedTokenAnswer, newFeedToken, success } from '../../contract/account.ts';
import { listProgress } from '../../contract/report.ts';
import {
  STACK_BODY_LIMIT,
  stackDetail,
  stackInput,
  stackList,
  stackMarkInput,
  stackReport as stackReportShape,
  stackSummary,
} from '../../contract/stack.ts';
import { created, noContent, Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { awaitProgress, waitSeconds } from './await-progress.ts';

const tag = 'Stacks';

const named = (params: Record<string, string>) => ({ name: params.name ?? '' });

export const meStackRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/me/stacks',
    summary: 'Stacks of the account',
    description: 'All stacks of the account by name, each with the number of its packages and the last push.',
    tag,
    access: 'stacks',
    answers: { 200: stackList },
    run: (ctx) => listStacks(ctx),
  }),
  route({
    method: 'GET',
    path: '/me/stacks/{name}',
    summary: 'One stack with its packages',
    description: 'The list as it is stored: names and versions.',
    tag,
    access: 'stacks',
    answers: { 200: stackDetail },
    errors: ['not_found'],
    run: (ctx, { params }) => readStack(ctx, named(params)),
  }),
  route({
    method: 'PUT',
    path: '/me/stacks/{name}',
    summary: 'Push a stack: make it, or replace its list of packages',
    description:
      'Takes the whole list, or the text of a lockfile or manifest. At most 5,000 packages, 1 MiB, and 20 stacks an account; 20 pushes a minute, one after the other. Unknown fields and names that no package can have are refused. A user key with the scope `stacks` may do this and nothing else that writes.',
    tag,
    access: 'stacks:push',
    limiters: ['stacks'],
    body: stackInput,
    bodyLimit: STACK_BODY_LIMIT,
    answers: { 200: stackSummary, 201: stackSummary },
    errors: ['bad_request', 'limit_exceeded', 'rate_limited'],
    run: async (ctx, { params, body }) => {
      const { stack, isNew } = await putStack(ctx, { ...body, ...named(params) });
      return isNew ? created(stack, `/v1/me/stacks/${stack.name}`) : stack;
    },
  }),
  route({
    method: 'DELETE',
    path: '/me/stacks/{name}',
    summary: 'Remove a stack with its feed and its webhooks',
    description: 'The address of its feed stops at once. It cannot be undone.',
    tag,
    access: 'account:write',
    answers: { 204: null },
    errors: ['not_found'],
    async run(ctx, { params }) {
      await deleteStack(ctx, named(params));
      return noContent();
    },
  }),
  route({
    method: 'GET',
    path: '/me/stacks/{name}/report',
    summary: 'What the newest versions of the packages bring, by risk',
    description:
      'All packages of the stack, highest risk first, from stored answers. Packages that nobody has looked at yet are `not_known` with `isPending`; the next report has them.',
    tag,
    access: 'stacks',
    answers: { 200: stackReportShape },
    errors: ['not_found'],
    run: (ctx, { params }) => stackReport(ctx, named(params)),
  }),
  route({
    method: 'GET',
    path: '/me/stacks/{name}/progress',
    summary: 'How far the packages of a stack are read',
    description: 'With `wait` the answer comes as soon as something has changed, or after so many seconds.',
    tag,
    access: 'stacks',
    query: { wait: waitSeconds },
    answers: { 200: listProgress },
    errors: ['not_found'],
    cache: 'never',
    run: (ctx, { params, query: { wait } }) => awaitProgress(() => stackProgress(ctx, named(params)), wait),
  }),
  route({
    method: 'PUT',
    path: '/me/stacks/{name}/marks',
    summary: 'Say of a package that it is done, or ignored until a day',
    description:
      'Of all versions of the package in this stack, and it stays with the next push. `done` ends with the next version, `ignored` on its day.',
    tag,
    access: 'account:write',
    body: stackMarkInput,
    answers: { 200: success },
    errors: ['bad_request', 'not_found'],
    run: async (ctx, { params, body }) => {
      await markPackage(ctx, { ...body, stack: named(params).name });
      return { success: true };
    },
  }),
  route({
    method: 'POST',
    path: '/me/stacks/{name}/seen',
    summary: 'Mark the updates of a stack as seen',
    description: 'What comes from now on counts as new.',
    tag,
    access: 'account:write',
    answers: { 200: stackSummary },
    errors: ['not_found'],
    run: (ctx, { params }) => markSeen(ctx, named(params)),
  }),
  route({
    method: 'GET',
    path: '/me/stacks/{name}/feed',
    summary: 'The address of the feed of a stack',
    description: 'The Atom address with its secret, or null where none was made. Treat it like a password.',
    tag,
    access: 'account:write',
    answers: { 200: feedTokenAnswer },
    errors: ['not_found', 'service_unavailable'],
    run: (ctx, { params }) => readStackFeed(ctx, named(params)),
  }),
  route({
    method: 'POST',
    path: '/me/stacks/{name}/feed',
    summary: 'A new address for the feed of a stack; the old one stops at once',
    description: 'Makes the Atom feed of the stack or replaces its address. Readers that have the old one get 404.',
    tag,
    access: 'account:write',
    answers: { 201: newFeedToken },
    errors: ['not_found', 'service_unavailable'],
    run: async (ctx, { params }) => {
      const { feedUrl, ...token } = await createStackFeed(ctx, named(params));
      const location = `/v1/me/stacks/${named(params).name}/feed`;
      return new Reply(201, { feedUrl, ...token }, { Location: location }).repeatedAs(token);
    },
  }),
  route({
    method: 'DELETE',
    path: '/me/stacks/{name}/feed',
    summary: 'Close the feed of a stack',
    description: 'Its address stops working at once. A second call changes nothing.',
    tag,
    access: 'account:write',
    answers: { 200: success },
    errors: ['not_found'],
    run: async (ctx, { params }) => {
      await deleteStackFeed(ctx, named(params));
      return { success: true };
    },
  }),
];
