import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Command, UsageError } from './command.ts';
import { commandFirst, findCommand } from './find-command.ts';

const command = (name: string): Command => ({ name, summary: '', flags: {}, examples: [], run: async () => 0 });
const COMMANDS = ['serve', 'feed', 'feed url', 'org list', 'org get', 'admin user', 'admin org create'].map(command);

describe('which command a command line names', () => {
  const named: [args: string[], name: string, rest: string[]][] = [
    [['serve', '--port', '1'], 'serve', ['--port', '1']],
    [['feed'], 'feed', []],
    [['feed', 'url', '--rotate'], 'feed url', ['--rotate']],
    [['feed', '--json', 'url'], 'feed', ['--json', 'url']],
    [['org', 'get', 'acme'], 'org get', ['acme']],
    [['admin', 'org', 'create', 'x', 'y'], 'admin org create', ['x', 'y']],
    [['admin', 'user', 'list'], 'admin user', ['list']],
  ];
  for (const [args, name, rest] of named) {
    it(args.join(' '), () => {
      const found = findCommand(COMMANDS, args);
      assert.deepEqual('command' in found && [found.command.name, found.rest], [name, rest]);
    });
  }

  const groups: [args: string[], group: string][] = [
    [['org', '--help'], 'org'],
    [['admin', '-h'], 'admin'],
    [['admin', 'org', '--help'], 'admin org'],
  ];
  for (const [args, group] of groups) {
    it(`${args.join(' ')} is help on a group`, () => {
      const found = findCommand(COMMANDS, args);
      assert.equal('group' in found && found.group, group);
    });
  }

  const refused: [args: string[], message: string][] = [
    [['srve'], 'there is no command "srve"; did you mean `registry serve`?'],
    [['xyzzy'], 'there is no command "xyzzy"; `registry help` lists all commands'],
    [['org'], '`registry org` needs one of list, get'],
    [['org', 'lits'], 'there is no command "lits" in `registry org`; did you mean `registry org list`?'],
    [['org', 'xyzzy'], 'there is no command "xyzzy" in `registry org`; it has list, get'],
    [
      ['admin', 'org', 'crate'],
      'there is no command "crate" in `registry admin org`; did you mean `registry admin org create`?',
    ],
  ];
  for (const [args, message] of refused) {
    it(`${args.join(' ')}: ${message}`, () => {
      assert.throws(
        () => findCommand(COMMANDS, args),
        (error) => error instanceof UsageError && error.message === message,
      );
    });
  }
});

describe('flags of every command before its name', () => {
  const CASES: [args: string, ordered: string][] = [
    ['latest --json', 'latest --json'],
    ['--server https://x.example latest', 'latest --server https://x.example'],
    ['--server=https://x.example --json org get acme', 'org get acme --server=https://x.example --json'],
    ['--no-auth search -- -x', 'search --no-auth -- -x'],
    ['--version', '--version'],
    ['--json', '--json'],
    ['--unknown latest', '--unknown latest'],
  ];
  for (const [args, ordered] of CASES) {
    it(args, () => assert.deepEqual(commandFirst(args.split(' ')), ordered.split(' ')));
  }
});
