import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Terminal } from '../command.ts';
import { withPager } from './client-command.ts';

function recording(more: Partial<Terminal> & { hasPager?: boolean } = {}) {
  const { hasPager = true, ...rest } = more;
  const shown: string[] = [];
  const terminal: Terminal = {
    out: (line) => void shown.push(`out ${line}`),
    err: (line) => void shown.push(`err ${line}`),
    isTTY: true,
    columns: 10,
    rows: 4,
    page: async (text) => {
      if (hasPager) shown.push(`pager ${text}`);
      return hasPager;
    },
    ...rest,
  };
  return { shown, terminal };
}

async function print(terminal: Terminal, lines: string[], flags = {}): Promise<void> {
  await withPager({ terminal, flags, env: {} }, async ({ out, err }) => {
    err('note');
    for (const line of lines) out(line);
  });
}

describe('withPager', () => {
  const LONG = ['1', '2', '3', '4'];
  const cases: [
    name: string,
    lines: string[],
    more: Parameters<typeof recording>[0],
    flags: object,
    shown: string[],
  ][] = [
    ['a short answer is printed, the note behind it', ['1', '2'], {}, {}, ['out 1', 'out 2', 'err note']],
    ['a long one is paged', LONG, {}, {}, ['pager 1\n2\n3\n4', 'err note']],
    ['long lines take several of the screen', ['x'.repeat(35)], {}, {}, [`pager ${'x'.repeat(35)}`, 'err note']],
    ['without a pager it is printed', LONG, { hasPager: false }, {}, ['out 1', 'out 2', 'out 3', 'out 4', 'err note']],
    ['no terminal', LONG, { isTTY: false }, {}, ['err note', 'out 1', 'out 2', 'out 3', 'out 4']],
    ['JSON', LONG, {}, { json: true }, ['err note', 'out 1', 'out 2', 'out 3', 'out 4']],
    ['what goes on', LONG, {}, { follow: true }, ['err note', 'out 1', 'out 2', 'out 3', 'out 4']],
  ];
  for (const [name, lines, more, flags, shown] of cases) {
    it(name, async () => {
      const record = recording(more);
      await print(record.terminal, lines, flags);
      assert.deepEqual(record.shown, shown);
    });
  }

  it('a failure comes behind what was printed', async () => {
    const { shown, terminal } = recording();
    const failed = withPager({ terminal, flags: {}, env: {} }, async ({ out }) => {
      out('1');
      throw new Error('no');
    });
    await assert.rejects(failed, /no/);
    assert.deepEqual(shown, ['out 1']);
  });
});
