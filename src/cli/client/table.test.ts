import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTable, displayWidth, plainRow } from './table.ts';

interface Row {
  name: string;
  text: string | null;
}

const COLUMNS = [
  { title: 'NAME', value: ({ name }: Row) => name },
  { title: 'TEXT', value: ({ text }: Row) => text, flexible: true },
  { title: 'ID', value: () => 'x1', plainOnly: true },
];
const palette = (_tone: string, text: string) => text;

describe('table', () => {
  it('aligns columns and cuts the flexible one at the width of the terminal', () => {
    const rows = [
      { name: 'a', text: 'a rather long text that does not fit' },
      { name: '漢字', text: null },
    ];
    const table = createTable(COLUMNS, rows, { palette, width: 30 });

    assert.deepEqual([table.header, ...rows.map(table.row)], ['NAME  TEXT', 'a     a rather long text that…', '漢字']);
    assert.ok(displayWidth(table.row(rows[0] as Row)) <= 30);
  });

  it('shows an id where the width leaves room, and never cuts the name that opens a row', () => {
    const columns = [
      { title: 'NAME', value: ({ name }: Row) => name, opens: true },
      { title: 'TEXT', value: ({ text }: Row) => text, flexible: true },
      { title: 'ID', value: () => 'x1', ifRoom: true },
      { title: 'BOTH', value: () => 'y', tableOnly: true },
    ];
    const row = { name: `acme/${'n'.repeat(60)}@1.0.0`, text: 'b' };
    const short = { name: 'acme/cli@1.0.0', text: 'b' };

    assert.equal(createTable(columns, [short], { palette, width: 80 }).row(short), 'acme/cli@1.0.0  b     x1  y');
    assert.equal(createTable(columns, [row], { palette, width: 80 }).row(row), `${row.name}  b     y`);
    assert.equal(plainRow(columns, short, palette), 'acme/cli@1.0.0\tb\tx1');
  });

  it('keeps longer names of later pages whole', () => {
    const table = createTable(COLUMNS, [{ name: 'a', text: 'b' }], { palette, width: 80 });

    assert.equal(table.row({ name: 'a-longer-name', text: 'b' }), 'a-longer-name  b');
  });

  it('gives every column, on one line, to a pipe', () => {
    assert.equal(plainRow(COLUMNS, { name: 'a\tb', text: 'c\nd' }, palette), 'a b\tc d\tx1');
    assert.equal(plainRow(COLUMNS, { name: 'a', text: null }, palette), 'a\t\tx1');
  });
});
