// An upgrade in one sentence with its reasons, for the heading, the title, the card and the text for a pull request.
import type { EvidenceFinding } from '../../../contract/evidence.ts';
import { toldLines } from '../../../domain/evidence/tell.ts';
import { isByVersionAlone } from '../../../domain/upgrade/judgement.ts';
import { levelOf } from '../../../domain/upgrade/report/answer.ts';
import { readStep } from '../../../domain/upgrade/steps/read-step.ts';
import { plural } from '../../components/html.ts';
import { isBeingRead } from '../../components/reading.ts';
import { bareVersion, verdictSentence } from '../../components/verdict.ts';
import type { UpgradeView } from './load.ts';

const MAX_NAMED = 3;

export function upgradeSubject({ spelling, step: { labels } }: UpgradeView): string {
  return `${spelling} ${labels.from} → ${labels.to}`;
}

export function upgradeSentence(view: UpgradeView): string {
  return `${upgradeSubject(view)}${verdictOfStep(view)}`;
}

// What follows the subject: " breaks: Node 20 is needed, and `require` no longer loads it".
export function verdictOfStep({ answer, places }: UpgradeView): string {
  const level = levelOf(answer);
  if ((level === 'major' || level === 'minor') && !isByVersionAlone(answer)) {
    const word = level === 'major' ? 'breaks' : 'may break';
    const shown = reasonsOfFindings(places.flatMap(({ findings }) => findings));
    const reasons = [...(shown.length > 0 ? shown : reasonsOfSteps(answer)), ...reasonsOfNotes(answer)];
    const silent = answer.undocumented ? ' The notes do not mention it.' : '';
    if (reasons.length === 0) return ` ${word}`;
    const words = reasons.length > 1 ? `${reasons.slice(0, -1).join(', ')}, and ${reasons.at(-1)}` : reasons.join('');
    return ` ${word}: ${words}${silent === '' ? '' : `.${silent}`}`;
  }
  if (isBeingRead(answer.reading?.state) && level === 'unknown') return ': being read';
  const sentence = verdictSentence(answer);
  return `: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function reasonsOfFindings(findings: readonly EvidenceFinding[]): string[] {
  const of = (...kinds: EvidenceFinding['kind'][]) => findings.filter(({ kind }) => kinds.includes(kind));
  const reasons: string[] = [];
  const floor = /\d+(?:\.\d+)*/.exec(of('engines_raised').at(-1)?.is ?? '')?.[0];
  if (floor) reasons.push(nodeWords(floor));
  if (of('esm_only').length > 0) reasons.push('it can no longer be required');
  const gone = of('export_removed', 'member_removed', 'subpath_removed', 'bin_removed', 'became_type_only').filter(
    ({ certainty }) => certainty === 'proven',
  );
  if (gone.length > 0) reasons.push(goneWords(gone));
  if (reasons.length > 0) return reasons.slice(0, MAX_NAMED - 1);
  const likely = findings.filter(({ certainty }) => certainty === 'likely').length;
  const others = findings.length - likely;
  if (others > 0) return [`${plural(others, 'change is', 'changes are')} proven by the package`];
  return likely > 0 ? [`${plural(likely, 'change', 'changes')} by its types`] : [];
}

function goneWords(gone: readonly EvidenceFinding[]): string {
  const [only] = gone;
  if (gone.length === 1 && only) return `${only.name.replace(/^bin\./, '')} is gone`;
  const counted = {
    values: gone.filter(({ kind, weight = 0 }) => kind !== 'member_removed' && weight >= 80).length,
    members: gone.filter(({ kind }) => kind === 'member_removed').length,
    types: gone.filter(({ kind, weight = 0 }) => kind !== 'member_removed' && weight < 80).length,
  };
  const words = [
    counted.values > 0 ? plural(counted.values, 'exported name') : '',
    counted.members > 0 ? plural(counted.members, 'member') : '',
    counted.types > 0 && counted.values === 0 ? plural(counted.types, 'type') : '',
  ].filter(Boolean);
  return `${words.slice(0, 2).join(' and ')} are gone`;
}

// Of a runtime that the notes ask for.
function reasonsOfSteps({ steps }: UpgradeView['answer']): string[] {
  const floors = steps.flatMap(({ text }) => readStep(text).floor ?? []);
  const [floor] = floors.filter(({ of, kind, isAbove }) => kind === 'runtime' && of === 'node' && !isAbove);
  return floor ? [nodeWords(floor.numbers.join('.'))] : [];
}

function nodeWords(version: string): string {
  return `Node ${version.replace(/(?:\.0)+$/, '')} is needed`;
}

function reasonsOfNotes(answer: UpgradeView['answer']): string[] {
  const told = answer.entries.filter(({ breaking, judgedBy }) => breaking === 'major' && !judgedBy);
  const count = answer.summary.breaking.major;
  if (told.length === 0) return [];
  const [first] = told;
  if (count === 1 && first?.version) return [`the notes of ${bareVersion(first.version)} say what`];
  return [`the notes of ${count} versions say what`];
}

// What a preview and a search engine say below the sentence.
export function upgradeDescription({ answer, places }: UpgradeView): string {
  const { steps, moreSteps = 0, history, total, evidence } = answer;
  const all = steps.length + moreSteps;
  const versions = Math.max(history?.published ?? 0, total);
  const missing = history?.withoutNotesCount ?? 0;
  const { proven = 0, likely = 0 } = evidence?.counts ?? {};
  const lines = toldLines(places.flatMap(({ findings }) => findings)).length;
  return [
    all > 0 ? `${plural(all, 'step')} to do.` : '',
    proven + likely > 0 && lines > 0 ? `${proven} proven by the package, ${likely} by its types.` : '',
    versions > 0
      ? missing === 0
        ? `${plural(versions, 'version')}, all with notes.`
        : `${plural(versions, 'version')}, ${missing} without notes.`
      : '',
  ]
    .filter(Boolean)
    .join(' ');
}
