// Makes, marks and removes the stacks of an account.

import { createStackFeed, deleteStackFeed } from '../../accounts/stacks/feed-token.ts';
import { deleteStack, putStack } from '../../accounts/stacks/manage.ts';
import { markPackage } from '../../accounts/stacks/marks.ts';
import { markSeen } from '../../accounts/stacks/report.ts';
import { stackInput, stackMarkInput } from '../../contract/stack.ts';
import { packageOfKey } from '../../domain/ecosystems/index.ts';
import { keysOf } from '../../domain/records.ts';
import { MAX_FILE_CHARACTERS } from '../../domain/upgrade/lockfiles/upgrades.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { keepReport } from '../../packages/reports/make.ts';
import { packagesOfReport } from '../../packages/reports/read.ts';
import { showStacks } from '../pages/account/stacks.ts';
import { accountForm, seeOther, type Visit } from '../visit.ts';
import { parsed } from './parse.ts';
import { refusalOf } from './refusal.ts';

// A form adds little to a file; in a URL-encoded body a file becomes up to twice as long.
const BODY_LIMIT = MAX_FILE_CHARACTERS + 1024 * 1024;
const LABELS = { name: 'The name', lock: 'The lockfile', lockfile: 'The lockfile', packages: 'The list' };

export const stackForms: RouteDeclaration[] = [
  accountForm({
    path: '/account/stacks',
    summary: 'Add a stack',
    bodyLimit: BODY_LIMIT,
    answer: async (visit) => {
      try {
        const { stack } = await putStack(visit.ctx, {
          name: visit.form.get('name')?.trim() ?? '',
          ...((await listOfReport(visit)) ?? listIn(visit)),
        });
        const report = visit.form.get('report');
        if (report) await keepReport(visit.ctx, { id: report, stack: stack.name });
        return seeOther(visit, `/account/stacks/${stack.name}?done=added`);
      } catch (error) {
        return showStacks(visit, refusalOf(error, LABELS));
      }
    },
  }),
  ofStack('seen', 'Mark the updates of a stack as seen', markSeen),
  ofStack('feed/new', 'A new address for the feed of a stack', createStackFeed),
  ofStack('feed/remove', 'Remove the feed of a stack', deleteStackFeed),
  accountForm({
    path: '/account/stacks/{name}/marks',
    summary: 'Mark a package of a stack as done or ignored',
    answer: async (visit) => {
      const stack = visit.params.name ?? '';
      await markPackage(visit.ctx, { stack, ...markIn(visit) });
      return seeOther(visit, `/account/stacks/${stack}?done=marked`);
    },
  }),
  accountForm({
    path: '/account/stacks/{name}/remove',
    summary: 'Remove a stack',
    answer: async (visit) => {
      await deleteStack(visit.ctx, { name: visit.params.name ?? '' });
      return seeOther(visit, '/account/stacks?done=removed');
    },
  }),
];

const MARKS = { done: 'done', ignored: 'ignored', again: 'none' } as const;

function markIn({ form }: Visit) {
  const named = keysOf(MARKS).find((one) => form.get(one));
  const key = packageOfKey(named ? (form.get(named) ?? '') : '');
  return parsed(stackMarkInput, {
    mark: named && MARKS[named],
    ecosystem: key?.ecosystem,
    package: key?.name,
    until: form.get('until') || null,
    reason: form.get('reason') || null,
  });
}

function ofStack(
  path: string,
  summary: string,
  act: (ctx: Visit['ctx'], input: { name: string }) => Promise<unknown>,
): RouteDeclaration {
  return accountForm({
    path: `/account/stacks/{name}/${path}`,
    summary,
    answer: async (visit) => {
      const name = visit.params.name ?? '';
      await act(visit.ctx, { name });
      return seeOther(visit, `/account/stacks/${name}?done=${path.replace('/', '-')}`);
    },
  });
}

// A report has its packages in the registry.
async function listOfReport({ ctx, form }: Visit) {
  const report = form.get('report');
  return report ? parsed(stackInput, { packages: await packagesOfReport(ctx, report) }) : null;
}

// A file counts before a pasted text.
function listIn({ form }: Visit) {
  const filename = form.get('file.filename');
  const text = form.get('file') || form.get('lock') || '';
  return parsed(stackInput, {
    lockfile: text,
    ...(form.get('file') && filename && { source: filename.slice(0, 120) }),
  });
}
