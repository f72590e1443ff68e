import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from '../../command.ts';
import { candidatesFor } from './names.ts';

const command = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  summary: '',
  flags: {},
  examples: [],
  run: async () => 0,
  ...more,
});

const COMMANDS = [
  command('serve'),
  command('feed'),
  command('feed url'),
  command('org list'),
  command('org get', {
    arguments: [{ name: 'org', help: '', complete: 'org' }],
    flags: {
      json: { type: 'boolean', help: '' },
      mode: { type: 'string', choices: ['a', 'b'], short: 'm', help: '' },
      source: { type: 'string', complete: 'source', help: '' },
    },
  }),
  command('follow', { arguments: [{ name: 'what', help: '', many: true, complete: 'entity' }] }),
  command('completion', { arguments: [{ name: 'shell', help: '', choices: ['bash', 'zsh'] }] }),
  command('__complete', { isHidden: true }),
];

describe('what can stand at the cursor', () => {
  const cases: [line: string, words: string[], names?: string][] = [
    ['', ['serve', 'feed', 'org', 'follow', 'completion', 'help']],
    ['org ', ['list', 'get']],
    ['help ', ['serve', 'feed', 'org', 'follow', 'completion']],
    ['help org ', ['list', 'get']],
    ['feed ', ['url']],
    ['org get ', [], 'org'],
    ['org get acme ', []],
    ['org get -', ['--json', '--mode', '--source', '--help']],
    ['org get --json --mode=a --', ['--source', '--help']],
    ['org get --mode ', ['a', 'b']],
    ['org get -m ', ['a', 'b']],
    ['org get --source ', [], 'source'],
    ['org get --mode a ', [], 'org'],
    ['org get --json ', [], 'org'],
    ['follow acme ', [], 'entity'],
    ['completion ', ['bash', 'zsh']],
    ['nothing ', []],
    ['--json ', []],
  ];
  for (const [line, words, names = null] of cases) {
    it(`"${line}"`, () => {
      const all = line.split(' ');
      const found = candidatesFor(COMMANDS, { typed: all.slice(0, -1), partial: all.at(-1) ?? '' });
      assert.deepEqual([found.words, found.names], [words, names]);
    });
  }
});
