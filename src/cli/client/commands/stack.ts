// Commands for stacks: the packages of a project, pushed from where it is built.
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { StackList, StackReport, StackSummary } from '../../../contract/stack.ts';
import { LOCKFILES } from '../../../domain/upgrade/lockfiles/names.ts';
import { GROUP_WORDS } from '../../../domain/upgrade/report/groups.ts';
import { CommandFailure, EXIT } from '../../command.ts';
import { path } from '../api.ts';
import { clientCommand, confirmed } from '../client-command.ts';
import { readProjectFile } from '../files.ts';
import { printList, wholeList } from '../paging.ts';
import type { Column } from '../table.ts';
import { day } from '../views.ts';

const NAME = { name: 'name', help: 'name of the stack' };

const STACK_COLUMNS: readonly Column<StackSummary>[] = [
  { title: 'STACK', value: ({ name }) => name },
  { title: 'PACKAGES', value: ({ packageCount }) => packageCount },
  { title: 'BREAK', value: ({ counts }) => counts.breaks },
  { title: 'MAY BREAK', value: ({ counts }) => counts.mayBreak },
  { title: 'SECURITY', value: ({ counts }) => counts.security },
  { title: 'NEW', value: ({ counts }) => counts.fresh },
  { title: 'PUSHED', value: ({ pushedAt }) => pushedAt, short: ({ pushedAt }) => day(pushedAt) },
];

const ROW_COLUMNS: readonly Column<StackReport['rows'][number]>[] = [
  { title: 'ANSWER', value: ({ group }) => GROUP_WORDS[group].word },
  { title: 'PACKAGE', value: (row) => row.package },
  { title: 'INSTALLED', value: ({ installed }) => installed },
  { title: 'NEWEST', value: ({ newest }) => newest },
  { title: 'WHY', value: ({ reason }) => reason, flexible: true },
];

export const stackCommands = [
  clientCommand({
    name: 'stack push',
    summary: 'Send the names and versions of a lockfile as a stack of your account',
    arguments: [{ name: 'file', help: 'lockfile; the one in this folder unless given', optional: true }],
    flags: { name: { type: 'string', value: 'name', help: 'name of the stack; that of the folder unless given' } },
    examples: ['registry stack push', 'registry stack push --name web-shop', 'registry stack push uv.lock --name jobs'],
    async run({ api, args, flags, output }) {
      const file = args.file ?? LOCKFILES.find((one) => existsSync(one));
      if (file === undefined) throw new CommandFailure('there is no lockfile in this folder; name one');
      const { lockedList } = await import('../../../domain/stacks/locked-list.ts');
      const read = lockedList({ filename: basename(file), text: readProjectFile(file) });
      if (read === null) throw new CommandFailure(`${file} is none of the lockfiles that can be read`);
      const name = typeof flags.name === 'string' ? flags.name : nameOf(basename(resolve(file, '..')));
      const body = { packages: read.packages, source: basename(file) };
      const stack = await api.send<StackSummary>({ method: 'PUT', path: path`/v1/me/stacks/${name}`, body });
      if (output.mode === 'json') output.json(stack);
      else output.line(`pushed ${stack.packageCount} packages as ${stack.name}: ${stack.webUrl}`);
      if (read.leftOut > 0) output.note(`${read.leftOut} packages come from no public registry and were left out`);
      return EXIT.ok;
    },
  }),
  clientCommand({
    name: 'stack list',
    summary: 'Stacks of your account',
    examples: ['registry stack list'],
    run: (session) =>
      printList(session, {
        read: wholeList<StackList['stacks'][number]>(session.api, { path: '/v1/me/stacks', key: 'stacks' }),
        columns: STACK_COLUMNS,
        none: 'there is no stack; `registry stack push` makes one',
      }),
  }),
  clientCommand({
    name: 'stack show',
    summary: 'What the newest versions bring to a stack, by risk',
    arguments: [NAME],
    examples: ['registry stack show web-shop'],
    run: (session) => {
      const where = path`/v1/me/stacks/${session.args.name ?? ''}/report`;
      const read = wholeList<StackReport['rows'][number]>(session.api, { path: where, key: 'rows' });
      return printList(session, { read, columns: ROW_COLUMNS, none: 'the stack is empty' });
    },
  }),
  clientCommand({
    name: 'stack delete',
    summary: 'Remove a stack with its feed and its webhooks',
    arguments: [NAME],
    confirms: true,
    examples: ['registry stack delete web-shop --yes'],
    async run(session) {
      const { api, args, output } = session;
      if (!(await confirmed(session, `Remove the stack ${args.name}?`))) return EXIT.failure;
      await api.send({ method: 'DELETE', path: path`/v1/me/stacks/${args.name ?? ''}` });
      if (output.mode === 'json') output.json({ deleted: args.name });
      else output.line(`removed ${args.name}`);
      return EXIT.ok;
    },
  }),
];

// A folder's name in the letters of a stack's.
function nameOf(folder: string): string {
  const name = folder.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 64).replace(/-+$/, '') || 'project';
}
