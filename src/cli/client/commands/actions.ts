// What the next release of a GitHub Action changes, and which calls of workflows that breaks, from files alone.
import { projectFileAt } from '../../../check/local-file.ts';
import {
  type ActionChange,
  compareActions,
  isActionBreak,
} from '../../../domain/evidence/actions/compare-interfaces.ts';
import {
  type ActionInterface,
  MAX_ACTION_FILE,
  readActionInterface,
} from '../../../domain/evidence/actions/interface.ts';
import { judgeCall } from '../../../domain/evidence/actions/judge-call.ts';
import { readActionCalls } from '../../../domain/evidence/actions/workflow.ts';
import { CommandFailure, EXIT, listFlag } from '../../command.ts';
import { clientCommand } from '../client-command.ts';
import type { Column } from '../table.ts';

interface ShownChange {
  change: ActionChange;
  isBreak: boolean;
  text: string;
  // Where a workflow is touched: `ci.yml:12`.
  at: readonly string[];
  // On what the job runs cannot be told.
  unclear: readonly string[];
}

export const actionCommands = [
  clientCommand({
    name: 'actions compare',
    summary: 'What the next release of a GitHub Action changes, and which calls of your workflows that touches',
    arguments: [
      { name: 'old', help: 'action.yml of the release in use' },
      { name: 'new', help: 'action.yml of the release to go to' },
    ],
    flags: {
      workflow: { type: 'string', multiple: true, help: 'a workflow that calls this action and no other; repeatable' },
    },
    examples: ['registry actions compare v4/action.yml v5/action.yml --workflow .github/workflows/ci.yml'],
    run: async ({ args, flags, output }) => {
      const [old, next] = [actionAt(args.old ?? ''), actionAt(args.new ?? '')];
      const shown = shownChanges(compareActions(old, next), listFlag(flags, 'workflow'));
      if (output.mode === 'json') output.json({ changes: shown });
      else if (shown.length === 0) output.note('Inputs, outputs and runtime are the same.');
      else output.rows(COLUMNS, shown);
      return EXIT.ok;
    },
  }),
];

const COLUMNS: readonly Column<ShownChange>[] = [
  {
    title: 'EFFECT',
    value: ({ isBreak }) => (isBreak ? 'may break' : 'changed'),
    tone: ({ isBreak }) => (isBreak ? 'yellow' : null),
  },
  { title: 'WHAT THE ACTION DECLARES', value: ({ text }) => text, flexible: true },
  {
    title: 'YOUR CALLS',
    value: ({ at, unclear }) => [...at, ...unclear.map((place) => `perhaps ${place}`)].join(', '),
  },
];

function actionAt(path: string): ActionInterface {
  const text = projectFileAt(path, { most: MAX_ACTION_FILE });
  if (text === null) throw new CommandFailure(`${path} is not there`);
  const declared = readActionInterface(text);
  if (!declared) throw new CommandFailure(`${path} declares no action; name its action.yml`);
  return declared;
}

function shownChanges(changes: readonly ActionChange[], workflows: readonly string[]): ShownChange[] {
  const calls = workflows.flatMap((path) => {
    const text = projectFileAt(path, { most: MAX_ACTION_FILE });
    if (text === null) throw new CommandFailure(`${path} is not there`);
    return readActionCalls(text).map((call) => ({ call, path }));
  });
  return changes.map((change) => {
    const places = calls.flatMap(({ call, path }) =>
      judgeCall(call, [change]).map(({ use, line }) => ({ use, place: `${path}:${line}` })),
    );
    const at = places.filter(({ use }) => use !== 'unknown').map(({ place }) => place);
    const unclear = places.filter(({ use }) => use === 'unknown').map(({ place }) => place);
    return { change, isBreak: isActionBreak(change), text: changeWords(change), at, unclear };
  });
}

function changeWords(change: ActionChange): string {
  switch (change.kind) {
    case 'input_removed':
      return `\`${change.name}\` is no input any more; a value for it is ignored from now on`;
    case 'output_removed':
      return `\`${change.name}\` is no output any more; it reads as empty text`;
    case 'input_deprecated':
      return `\`${change.name}\` is deprecated`;
    case 'input_required':
      return `\`${change.name}\` has to be given`;
    case 'default_changed':
      return `\`${change.name}\` is \`${change.is}\` where it is not given${change.was === null ? '' : ` (\`${change.was}\` before)`}`;
    case 'default_gone':
      return `\`${change.name}\` has no default any more (\`${change.was}\` before)`;
    case 'runtime_raised':
    case 'runtime_lowered':
      return `runs on ${change.is} (${change.was} before); own runners need it`;
    case 'runtime_kind':
      return `runs as ${change.is} (${change.was} before)`;
  }
}
