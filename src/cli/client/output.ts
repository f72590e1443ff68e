// The output of a command: tables and colour on a terminal, tab-separated lines in a pipe, JSON on demand.
import type { FlagValues, Terminal } from '../command.ts';
import type { Palette, Tone } from './color.ts';
import { printableJson, printableLine, printableText } from './printable.ts';
import { type Column, createTable, displayWidth, plainRow } from './table.ts';

type OutputMode = 'terminal' | 'plain' | 'json' | 'markdown';
type FieldValue = string | number | boolean | null | undefined | readonly string[];
export type Field = [label: string, value: FieldValue, tone?: Tone | null];

export interface Output {
  readonly mode: OutputMode;
  readonly paint: Palette;
  // Further calls with the same columns continue the same table.
  rows<T>(columns: readonly Column<T>[], items: readonly T[]): void;
  // A record; fields without a value are left out, and a list repeats its label.
  fields(fields: readonly Field[]): void;
  // Text of many lines, such as a changelog.
  text(text: string): void;
  // One line, without control characters.
  line(text: string): void;
  // A line of printable parts, some of them styled.
  painted(line: string): void;
  // One JSON document; `stream` writes it on one line, as one of many.
  json(value: unknown, form?: 'stream'): void;
  // Tells on a terminal how to open a row of a list.
  openHint<T>(columns: readonly Column<T>[], items: readonly T[]): void;
  // For the reader rather than for a program: printed on standard error, and not with --json.
  note(text: string): void;
}

interface OutputOptions {
  terminal: Terminal;
  flags: FlagValues;
  palette: Palette;
}

const DEFAULT_WIDTH = 80;
// Values of fields are not squeezed into less.
const MIN_VALUE = 20;

export function createOutput({ terminal, flags, palette }: OutputOptions): Output {
  const mode = modeOf(flags, terminal);
  const width = terminal.columns ?? DEFAULT_WIDTH;
  const fitted = (text: string) => (mode === 'terminal' ? wrapped(text, width) : text);
  const tables = new Map<unknown, { row(item: unknown): string }>();
  return {
    mode,
    paint: palette,
    rows(columns, items) {
      if (mode !== 'terminal') {
        for (const item of items) terminal.out(plainRow(columns, item, palette));
        return;
      }
      if (items.length === 0) return;
      let table = tables.get(columns);
      if (!table) {
        const created = createTable(columns, items, { palette, width });
        terminal.out(created.header);
        tables.set(columns, created);
        table = created;
      }
      for (const item of items) terminal.out(table.row(item));
    },
    fields(fields) {
      const known = fields.flatMap(([label, value, tone]) =>
        valuesOf(value).map((one) => ({
          label,
          value: one,
          toned: (text: string) => (tone ? palette(tone, text) : text),
        })),
      );
      if (mode !== 'terminal') {
        for (const { label, value, toned } of known) terminal.out(`${label}\t${toned(value)}`);
        return;
      }
      const longest = Math.max(0, ...known.map(({ label }) => displayWidth(label)));
      known.forEach(({ label, value, toned }, index) => {
        const shown = known[index - 1]?.label === label ? '' : label;
        const [first = '', ...more] = wrapped(value, Math.max(MIN_VALUE, width - longest - 2)).split('\n');
        terminal.out(`${palette('dim', shown)}${' '.repeat(longest - shown.length)}  ${toned(first)}`.trimEnd());
        for (const line of more) terminal.out(`${' '.repeat(longest)}  ${toned(line)}`);
      });
    },
    text: (text) => terminal.out(fitted(printableText(text).replace(/\n$/, ''))),
    line: (text) => terminal.out(fitted(printableLine(text))),
    painted: (line) => terminal.out(fitted(line)),
    json: (value, form) =>
      terminal.out(printableJson(value, form !== 'stream' && terminal.isTTY === true ? 2 : undefined)),
    openHint(columns, items) {
      const [first] = items;
      const name = first && columns.find(({ opens }) => opens)?.value(first);
      if (mode === 'terminal' && name) terminal.err(`open one: registry get ${printableLine(String(name))}`);
    },
    note(text) {
      if (mode !== 'json') terminal.err(printableLine(text));
    },
  };
}

function modeOf(flags: FlagValues, terminal: Terminal): OutputMode {
  if (flags.json) return 'json';
  if (flags.md) return 'markdown';
  return terminal.isTTY ? 'terminal' : 'plain';
}

function valuesOf(value: FieldValue): string[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  return (typeof value === 'object' ? value : [String(value)]).map(printableLine);
}

// Text wrapped to the width of the terminal at its blanks. Lines behind the first keep the indentation, behind a list mark that of
// its text; a word that is longer than a line, such as an address, stays whole.

const INDENT = /^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?/;
const MAX_INDENT = 12;

export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, width))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  const [lead = ''] = INDENT.exec(line) ?? [];
  const indent = ' '.repeat(Math.min(displayWidth(lead), MAX_INDENT));
  const lines: string[] = [];
  let current = lead;
  let isEmpty = true;
  for (const word of line.slice(lead.length).split(' ')) {
    if (!isEmpty && displayWidth(current) + 1 + displayWidth(word) > width) {
      lines.push(current.trimEnd());
      current = indent + word;
    } else {
      current += isEmpty ? word : ` ${word}`;
    }
    isEmpty = false;
  }
  return [...lines, current].join('\n');
}
