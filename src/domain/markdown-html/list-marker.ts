import type { ListMarker } from './block-tree.ts';

// `- `, `12. ` and their like at the beginning of a line; `width` is that of the mark without the blanks behind it.
export function readListMarker(content: string): { width: number; marker: Omit<ListMarker, 'indent'> } | null {
  const match = /^(?:[-+*]|(?<number>\d{1,9})(?<delimiter>[.)]))(?=[ \t]|$)/.exec(content);
  if (match === null) return null;
  const { number, delimiter = content[0] as string } = match.groups ?? {};
  const ordered = number !== undefined;
  return { width: match[0].length, marker: { ordered, delimiter, start: ordered ? Number(number) : 1 } };
}
