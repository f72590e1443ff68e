// The plain text part of a digest, in lines of at most 72 characters.
import {
  type DigestInfo,
  type DigestRow,
  followedLine,
  ledeOf,
  omittedWords,
  periodOf,
  rowFoot,
  rowReason,
  rowWord,
  sectionsOf,
  subjectOf,
  whyWords,
} from './content.ts';

const WIDTH = 72;

export function digestText(facts: DigestInfo): string {
  const { urgent, urgentReleases, mayBreak, others, omitted } = sectionsOf(facts);
  const { links, followed } = facts;
  const parts = [
    [wrapped(subjectOf(facts).toUpperCase()), periodOf(facts), '', wrapped(ledeOf(facts))],
    urgent.length + urgentReleases.length > 0 && [
      'BREAKS OR FIXES A SECURITY PROBLEM',
      ...urgent.map((row) => entry(row, `${rowWord(row).toUpperCase()}  `)),
      ...urgentReleases.map(
        (one) =>
          `\n${one.breaks ? 'BREAKS' : 'SECURITY'}  ${oneLine(one.title)}\n${wrapped(`${oneLine(one.from)}`, '  ')}\n  ${one.url}`,
      ),
    ],
    mayBreak.length > 0 && ['MAY BREAK', ...mayBreak.map((row) => entry(row, '  '))],
    others.length > 0 && [
      'OTHER UPDATES IN YOUR STACKS',
      '',
      ...others.map((row) => `  ${row.package}  ${row.from} -> ${row.to}`),
    ],
    omitted > 0 && [`${omittedWords(omitted, facts)}:`, `  ${links.stack ?? links.stacks}`],
    followed.length > 0 && ['FROM WHAT YOU FOLLOW', '', wrapped(followedLine(facts), '  '), `  ${links.following}`],
    [
      '-- ',
      wrapped(whyWords(facts)),
      ...(facts.rows.length > 0 ? [`Open it:    ${links.stack ?? links.stacks}`] : []),
      `Change it:  ${links.settings}`,
      `Stop it:    ${links.off}`,
    ],
  ];
  return `${parts.flatMap((part) => (part ? [part.join('\n')] : [])).join('\n\n\n')}\n`;
}

function entry(row: DigestRow, head: string): string {
  const lines = [
    `\n${head}${row.package}  ${row.from} -> ${row.to}`,
    wrapped(rowReason(row).replaceAll('`', ''), '  '),
  ];
  return [...lines, wrapped(rowFoot(row), '  '), `  ${row.url}`]
    .filter((line) => line.trim() !== '' || line.startsWith('\n'))
    .join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200).toWellFormed();
}

function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line].join('\n');
}
