// Rows as a table that fits the terminal, or as tab-separated lines.
import { stripVTControlCharacters } from 'node:util';
import { elementAt } from '../../domain/records.ts';
import type { Palette, Tone } from './color.ts';
import { printableLine } from './printable.ts';

export interface Column<T> {
  title: string;
  value(item: T): string | number | null | undefined;
  // A shorter form for tables, where the exact value is longer than people need.
  short?(item: T): string | null | undefined;
  tone?(item: T): Tone | null;
  // The column is only in tab-separated lines, or only in tables.
  plainOnly?: boolean;
  tableOnly?: boolean;
  // The column is in tables only where the width leaves room for it.
  ifRoom?: boolean;
  // What `registry get` opens the row by.
  opens?: boolean;
  // The column takes the remaining width and is truncated there.
  flexible?: boolean;
}

const GAP = '  ';
const WIDEST = 48;
const LEAST_FLEXIBLE = 20;
// The width at which a flexible column still says something.
const COMFORTABLE = 32;

export function plainRow<T>(columns: readonly Column<T>[], item: T, palette: Palette): string {
  const shown = columns.filter(({ tableOnly }) => !tableOnly);
  return shown.map((column) => toned({ column, item, palette }, cellOf(column.value(item)))).join('\t');
}

// The widths come from the first page, so that further pages line up with it.
export function createTable<T>(columns: readonly Column<T>[], first: readonly T[], options: TableOptions) {
  const { palette, width } = options;
  const shown = roomFor(columns, first, width);
  const cellsOf = (item: T) => shown.map(({ value, short }) => cellOf(short ? short(item) : value(item)));
  const cells = first.map(cellsOf);
  const widths = shown.map((column, index) => {
    const widest = Math.max(displayWidth(column.title), ...cells.map((row) => displayWidth(row[index] ?? '')));
    return column.flexible ? widest : Math.min(widest, widestOf(column));
  });
  const taken = widths.reduce((sum, one, index) => sum + (shown[index]?.flexible ? 0 : one) + GAP.length, -GAP.length);
  const fitted = widths.map((one, index) =>
    shown[index]?.flexible ? Math.min(one, Math.max(LEAST_FLEXIBLE, width - taken)) : one,
  );
  const line = (row: readonly string[], paint: (text: string, index: number) => string) =>
    row
      .map((text, index) => {
        // A longer name on a later page moves the rest of the line instead of being truncated.
        const room = fitted[index] ?? 0;
        const cut = shortened(text, shown[index]?.flexible ? room : widestOf(elementAt(shown, index)));
        const padding = index === row.length - 1 ? 0 : Math.max(0, room - displayWidth(cut));
        return `${paint(cut, index)}${' '.repeat(padding)}`;
      })
      .join(GAP)
      .trimEnd();
  return {
    header: line(
      shown.map(({ title }) => title),
      (text) => palette('bold', text),
    ),
    row: (item: T) =>
      line(cellsOf(item), (text, index) => toned({ column: elementAt(shown, index), item, palette }, text)),
  };
}

// A name that is copied to open the row is never cut.
function widestOf<T>({ opens }: Column<T>): number {
  return opens ? Number.POSITIVE_INFINITY : WIDEST;
}

// The columns of a table: those that need room are left out when the others take it.
function roomFor<T>(columns: readonly Column<T>[], items: readonly T[], width: number): readonly Column<T>[] {
  const inTable = columns.filter(({ plainOnly }) => !plainOnly);
  const needed = inTable.map((column) => {
    if (column.flexible) return COMFORTABLE;
    const cells = items.map((item) => displayWidth(cellOf(column.short ? column.short(item) : column.value(item))));
    return Math.min(widestOf(column), Math.max(displayWidth(column.title), ...cells));
  });
  const all = needed.reduce((sum, one) => sum + one + GAP.length, -GAP.length);
  return all <= width ? inTable : inTable.filter(({ ifRoom }) => !ifRoom);
}

interface TableOptions {
  palette: Palette;
  width: number;
}

function toned<T>({ column, item, palette }: { column: Column<T>; item: T; palette: Palette }, text: string): string {
  const tone = column.tone?.(item);
  return tone && text !== '' ? palette(tone, text) : text;
}

function cellOf(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '' : printableLine(String(value));
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NARROWEST = /\p{Mn}|\p{Me}|\u200b|\u200d|\ufe0f/u;

// The number of terminal columns that a text occupies.
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    width += NARROWEST.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  }
  return width;
}

function shortened(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const character of text) {
    used += displayWidth(character);
    if (used > width) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}
