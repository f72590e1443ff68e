import type { UpgradeEntry, WhatsChanged } from '../../../contract/whats-changed.ts';
import { EXIT, textFlag } from '../../command.ts';
import { clientCommand, type Session } from '../client-command.ts';
import type { Output } from '../output.ts';
import { printableLine } from '../printable.ts';
import { riskTone, verdictOf } from '../upgrade-verdict.ts';
import { breakingTone, day, scoped } from '../views.ts';

export const whatsChangedCommands = [
  clientCommand({
    name: 'whats-changed',
    summary: 'What changed between two versions of a package',
    arguments: [
      { name: 'package', help: 'name of the package, owner/repo with --ecosystem github, or a source' },
      { name: 'from', help: 'version in use' },
      { name: 'to', help: 'version to go to, or latest' },
    ],
    flags: {
      ecosystem: { type: 'string', choices: ['npm', 'pypi', 'github'], help: 'where the package is published' },
      'breaking-only': { type: 'boolean', help: 'only releases with a break' },
    },
    hasMarkdown: true,
    examples: [
      'registry whats-changed acme-cli 1.4.0 latest',
      'registry whats-changed react 18.2.0 19.0.0 --ecosystem npm',
    ],
    run: (session) => askOne(session),
  }),
];

async function askOne({ args, api, flags, output }: Session): Promise<number> {
  const query = { package: args.package, from: args.from, to: args.to, ecosystem: textFlag(flags, 'ecosystem') };
  if (output.mode === 'markdown') {
    output.text(await api.markdown('/v1/whats-changed', query));
    return EXIT.ok;
  }
  const answer = await api.get<WhatsChanged>('/v1/whats-changed', query);
  const entries = flags['breaking-only'] ? answer.entries.filter(isBreak) : answer.entries;
  if (output.mode === 'json') output.json({ ...answer, entries, count: entries.length });
  else printAnswer(output, { ...answer, entries });
  return EXIT.ok;
}

function isBreak({ breaking }: UpgradeEntry): boolean {
  return breaking === 'major' || breaking === 'minor';
}

function printAnswer(output: Output, answer: WhatsChanged): void {
  const { risk, text } = verdictOf(answer);
  const { major, minor, none, unknown } = answer.summary.breaking;
  output.fields([
    ['package', answer.ecosystem === null ? answer.package : `${answer.package} (${answer.ecosystem})`],
    ['range', `${answer.fromVersion ?? answer.from} to ${answer.toVersion ?? answer.to}`],
    ['verdict', text, riskTone(risk)],
    ['source', answer.source && scoped(answer.source.orgSlug, answer.source.sourceSlug)],
    [
      'releases',
      answer.total > 0 ? `${major} major, ${minor} minor, ${unknown} unknown, ${none} without a break` : null,
    ],
    ['first break', answer.summary.firstBreaking],
    ['pre-releases', answer.omittedPrereleases > 0 ? `${answer.omittedPrereleases} are not counted` : null],
    ['hint', answer.hint],
    ['similar', answer.suggestions],
    ['candidate', answer.candidates?.map(({ orgSlug, sourceSlug, id }) => `${id} (${scoped(orgSlug, sourceSlug)})`)],
  ]);
  for (const entry of answer.entries) printEntry(output, entry);
  if (answer.truncated)
    output.note(`${answer.omitted ?? 0} older releases of the range are left out; ask for a smaller range`);
}

function printEntry(output: Output, entry: UpgradeEntry): void {
  const version = printableLine(entry.version ?? '');
  if (output.mode !== 'terminal') {
    const cells = [version, entry.publishedAt ?? '', entry.breaking, entry.title, entry.webUrl];
    output.line(['entry', ...cells.map(printableLine)].join('\t'));
    if (entry.migrationNotes) output.line(`notes\t${version}\t${printableLine(entry.migrationNotes)}`);
    return;
  }
  const tone = breakingTone(entry.breaking);
  const verdict = tone ? output.paint(tone, entry.breaking) : entry.breaking;
  output.line('');
  output.line(
    `${output.paint('bold', version || entry.id)}  ${day(entry.publishedAt)}  ${verdict}  ${printableLine(entry.title)}`,
  );
  const text = entry.summary || entry.excerpt;
  if (text) output.text(indented(text));
  if (entry.migrationNotes) output.text(indented(`Before you upgrade: ${entry.migrationNotes}`));
  output.line(`  ${output.paint('dim', printableLine(entry.webUrl))}`);
}

function indented(text: string): string {
  return text.trim().replace(/^/gm, '  ');
}
