// Changelogs that are a table: a row for each version, with what changed and perhaps a date in further cells.
import { dateContextOf, readDate } from '../dates/index.ts';
import { addRow, beginTable } from '../markdown/tables.ts';
import { parseVersion } from '../versions/index.ts';
import { type DocumentLines, isHidden } from './document-lines.ts';
import { NOTHING_OUTSIDE, textLength } from './outside-text.ts';
import type { ChangelogSection, CutChangelog } from './types.ts';

const VERSION_HEADER = /^(?:package )?(?:versions?|releases?|tags?)$/i;
const DATE_HEADER = /^(?:release )?(?:date|released(?: on)?|published)$/i;
// A version may be bold, code or a link.
const VERSION_CELL = /^(?:\*\*|__|`|\[)*v?(\d+\.\d[\w.+-]*)(?:\*\*|__|`|\]|\([^()\s]{0,2000}\))*$/i;

interface VersionRow {
  line: number;
  version: string;
  date: string | null;
  body: string;
}

// The sections of a file whose versions stand in a table; null for any other file.
export function tableSections(document: DocumentLines, now: Date): CutChangelog | null {
  const rows: VersionRow[] = [];
  const read = new Set<number>();
  for (let at = 0; at + 1 < document.lines.length; at += 1) {
    const header = document.lines[at] ?? '';
    const table =
      header.includes('|') && !isHidden(document.states, at) ? beginTable(header, document.lines[at + 1] ?? '') : null;
    if (!table) continue;
    const [names = []] = table.rows;
    const [head, rule] = [at, at + 1];
    at += 2;
    for (; (document.lines[at] ?? '').includes('|'); at += 1) {
      addRow(table, document.lines[at] ?? '');
      const row = versionRow(names, table.rows.at(-1) ?? []);
      if (!row) continue;
      rows.push({ ...row, line: at });
      for (const line of [head, rule, at]) read.add(line);
    }
    at -= 1;
  }
  if (rows.length === 0) return null;
  const dates = dateContextOf(
    rows.flatMap(({ date }) => date ?? []),
    now,
  );
  const isRead = (line: string, at: number) => read.has(at) || line.startsWith('#') || isHidden(document.states, at);
  const unread = document.lines.reduce((sum, line, at) => (isRead(line, at) ? sum : sum + textLength(line)), 0);
  return {
    sections: rows.map(({ version, date, body, line }): ChangelogSection => {
      return {
        heading: version,
        title: version,
        version,
        more: [],
        packagePart: null,
        date: date === null ? null : readDate(date, dates),
        level: 2,
        offset: document.offsets[line] ?? 0,
        body,
        yanked: false,
        anchor: null,
        joined: 1,
      };
    }),
    outside: { ...NOTHING_OUTSIDE, unread },
  };
}

function versionRow(names: readonly string[], cells: readonly string[]): Omit<VersionRow, 'line'> | null {
  const at = names.findIndex((name) => VERSION_HEADER.test(name));
  const version = VERSION_CELL.exec(cells[at] ?? '')?.[1];
  if (version === undefined || !parseVersion(version)) return null;
  const dateAt = names.findIndex((name) => DATE_HEADER.test(name));
  const told = cells.flatMap((cell, index) => {
    return index === at || index === dateAt || cell === '' ? [] : [{ name: names[index] ?? '', text: withLines(cell) }];
  });
  const body = told.length > 1 ? told.map(({ name, text }) => `### ${name}\n\n${text}`) : told.map(({ text }) => text);
  return { version, date: cells[dateAt] || null, body: body.join('\n\n') };
}

// A cell has one line; its author breaks it with tags.
function withLines(cell: string): string {
  return cell.replace(/ *<br ?\/?> */gi, '\n');
}
