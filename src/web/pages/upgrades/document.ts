// An upgrade as text: what a pull request quotes, and what an agent works through.
import { toldLines } from '../../../domain/evidence/tell.ts';
import { frontMatter } from '../../../domain/front-matter.ts';
import { codeSpan, escapedName, escapedText, textWithCode } from '../../../domain/markdown/strangers-text.ts';
import { actionsOf } from '../../../domain/upgrade/steps/actions.ts';
import { bareVersion } from '../../components/verdict.ts';
import { upgradePath } from '../../links.ts';
import type { UpgradeView } from './load.ts';
import { upgradeSentence } from './sentence.ts';

const MAX_STEPS = 60;
const MAX_LINES = 80;
const MAX_NAMES = 40;

export function upgradeMarkdown(view: UpgradeView, { webUrl, check }: { webUrl: string; check: string }): string {
  const { answer, named, places, step } = view;
  const findings = places.flatMap((place) => place.findings);
  const { actions, facts } = actionsOf(answer.steps, findings);
  const tellers = (versions: readonly string[], froms: readonly string[]) =>
    [versions.map((version) => escapedName(bareVersion(version))).join(', '), froms.join(' and ')]
      .filter(Boolean)
      .join('; ');
  const todo = actions.slice(0, MAX_STEPS).map(({ text, before, after, steps }) => {
    const versions = [...new Set(steps.flatMap((one) => one.versions))];
    const by = tellers(versions, [...new Set(steps.map(({ from }) => from))]);
    const codes = before !== null && after !== null ? `\n      ${codeSpan(before)} becomes ${codeSpan(after)}` : '';
    return `- [ ] ${textWithCode(text)}${by ? ` (${by})` : ''}${codes}`;
  });
  const left = actions.length - todo.length + (answer.moreSteps ?? 0);
  if (left > 0) todo.push(`- [ ] and ${left} more`);
  const different = facts
    .slice(0, MAX_STEPS)
    .map(({ text, versions, from }) => `- ${textWithCode(text)} (${tellers(versions, [from])})`);
  return [
    frontMatter({
      package: answer.package,
      ecosystem: answer.ecosystem,
      from: answer.fromVersion ?? answer.from,
      to: answer.toVersion ?? answer.to,
      judgement: answer.judgement,
      judged_by: answer.judgedBy.length > 0 ? answer.judgedBy.join(', ') : undefined,
      versions: answer.history?.published ?? answer.total,
      without_notes: answer.history?.withoutNotesCount || undefined,
      reading: answer.reading && answer.reading.state !== 'done' ? answer.reading.state : undefined,
    }),
    `### ${escapedText(upgradeSentence(view))}\n`,
    ...(answer.hint ? [`${textWithCode(answer.hint)}\n`] : []),
    ...section('What to do', todo),
    ...section('What is different', different),
    ...packageSections(view),
    ...section('What is not known', [
      '- Behaviour that neither notes nor types show.',
      ...(answer.history?.withoutNotesCount
        ? [`- What changed in ${answer.history.withoutNotesCount} versions without notes.`]
        : []),
      `- What your code uses of it: ${codeSpan(`${check} ${answer.package}`)} says that.`,
    ]),
    `${webUrl}${upgradePath(named, step.written)}\n`,
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [`#### ${title}\n\n${lines.join('\n')}\n`] : [];
}

// What the package shows, version by version; all of it is in the JSON.
function packageSections({ places }: UpgradeView): string[] {
  let room = MAX_LINES;
  return places.flatMap(({ from, to, isLocated, findings }) => {
    const lines = toldLines(findings);
    const shown = lines.slice(0, Math.max(0, room));
    room -= shown.length;
    if (shown.length === 0) return [];
    const written = shown.map(({ text, certainty, names, finding }) => {
      const listed = finding === null ? names.slice(0, MAX_NAMES).map(codeSpan).join(', ') : '';
      const more = finding === null && names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
      return `- ${textWithCode(text)} (${certainty === 'proven' ? 'proven' : 'by its types'})${listed ? `: ${listed}${more}` : ''}`;
    });
    const rest = lines.length - shown.length;
    const title = isLocated ? `In ${escapedName(to)}` : `Between ${escapedName(from)} and ${escapedName(to)}`;
    return section(`${title} the package shows`, rest > 0 ? [...written, `- and ${rest} more in the JSON`] : written);
  });
}
