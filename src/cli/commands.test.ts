// Rules that hold for every command.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseArgs } from 'node:util';
import { COMMANDS } from './commands.ts';
import { findCommand } from './find-command.ts';
import { commandHelp } from './help.ts';
import { SERVER_COMMANDS } from './server-commands.ts';

// The words of an example up to a pipe or a redirection, without leading variables.
function wordsOf(example: string): string[] | null {
  const line = /(?:^|[\s(])registry ((?:"[^"]*"|[^|<>&"])*)/.exec(example)?.[1];
  return line?.match(/"[^"]*"|[^\s)]+/g)?.map((word) => word.replaceAll('"', '')) ?? null;
}

describe('every command', () => {
  it('has a name of its own', () => {
    const names = COMMANDS.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  });

  it('stands in one list alone under its first word, unless that word is a group', () => {
    const client = COMMANDS.filter((command) => !SERVER_COMMANDS.includes(command));
    const shadowed = client.filter(({ name }) => SERVER_COMMANDS.some((server) => name.split(' ')[0] === server.name));
    assert.deepEqual(shadowed, []);
  });

  for (const command of COMMANDS) {
    it(`registry ${command.name}: examples that name it and use options that it has`, () => {
      assert.ok(command.examples.length > 0);
      for (const example of command.examples) {
        const words = wordsOf(example);
        assert.ok(words, example);
        const found = findCommand(COMMANDS, words);
        assert.equal('command' in found && found.command.name, command.name, example);
        const options = { ...command.flags, help: { type: 'boolean' } } as const;
        const rest = 'command' in found ? found.rest : [];
        assert.doesNotThrow(() => parseArgs({ args: rest, options, allowPositionals: true }), example);
      }
    });

    it(`registry ${command.name}: help that fits a terminal and ends in no full stop twice`, () => {
      const lines = commandHelp(command);
      assert.match(lines[0] ?? '', /[^.]\.$/);
      assert.ok(lines.some((line) => line.startsWith('Usage: registry ')));
    });
  }
});
