// Steps as things to do, the verb first, and what is only a fact: it is told as what is different. The words are those of the
// notes where they say what to do, else ours around their names.
import { bareName, type ReadStep, readStep, type StepKind } from './read-step.ts';

interface AskedStep {
  kind: StepKind;
  text: string;
  versions: readonly string[];
  from: 'notes' | 'package';
}

export interface Action<T extends AskedStep = AskedStep> {
  text: string;
  // Code before and after, where notes or packages have both.
  before: string | null;
  after: string | null;
  // The steps that it stands for; the first tells who says it.
  steps: T[];
}

interface ActionList<T extends AskedStep = AskedStep> {
  actions: Action<T>[];
  facts: T[];
}

// What packages show, by the names in the steps.
interface Shown {
  kind: string;
  name: string;
  text: string;
  was: string | null;
  is: string | null;
}

const VERBS =
  'use set run replace rename remove delete update upgrade install uninstall import call pass change move add switch migrate check ' +
  'make ensure wrap give provide write configure enable disable avoid convert adjust review build bump specify define read ' +
  'stop raise treat test look let keep put turn drop clear choose create declare export extend handle include move opt pin ' +
  'prefer require return search start try verify await do mind mark';
const VERB = new RegExp(
  String.raw`^(?:please |now |then |you (?:must|need to|have to|should) |(?:if|when|in|for|to|before|after|on) [^.;]{1,120}?, (?:please |you (?:must|need to|have to|should) )?)?(?:${VERBS.replaceAll(' ', '|')})\b(?!:)`,
  'i',
);
// "Removed `x`" and "Use of `x` is gone" begin like an order and are none.
const NO_ORDER = /^(?:use|support|call|return|import|export|test|check|change)s? (?:of|for|to|now|is|was|are|were)\b/i;
const REPLACEMENT =
  /\b(?:use|replaced (?:with|by)|in favou?r of|migrate to|switch to|prefer)\b[^`]{0,40}`([^`]{1,120})`(?:[^`]{0,20}\binstead\b)?/i;
const SENTENCES = /(?<=[^.]{12}[.!;])\s+(?=[A-Z`])/;
const MOST_TOGETHER = 6;
const ALONE = 3;
const NAMES: Readonly<Record<string, string>> = {
  node: 'Node',
  python: 'Python',
  php: 'PHP',
  typescript: 'TypeScript',
  dotnet: '.NET',
};

export function actionsOf<T extends AskedStep>(steps: readonly T[], findings: readonly Shown[] = []): ActionList<T> {
  const shown = new Map(findings.map((one) => [one.text, one]));
  const list: ActionList<T> = { actions: [], facts: [] };
  const gone = steps.filter(({ kind, from }) => kind === 'removal' && from === 'package');
  const together = new Set(gone.length > ALONE ? gone : []);
  for (const step of steps) {
    if (together.has(step)) continue;
    const action = actionOf(step, shown.get(step.text));
    if (action) list.actions.push({ before: null, after: null, ...action, steps: [step] });
    else list.facts.push(step);
  }
  if (together.size > 0) list.actions.push(stopUsing(gone));
  return list;
}

interface Wording {
  text: string;
  before?: string | null;
  after?: string | null;
}

function actionOf(step: AskedStep, finding: Shown | undefined): Wording | null {
  const { text, from } = step;
  if (from === 'package') return actionOfFinding(step, finding);
  const read = readStep(text);
  if (isOrder(text)) return { text, ...exchange(read) };
  const order = text.split(SENTENCES).find(isOrder);
  if (order) return { text: order };
  if (read.floor) return floorAction(read.floor);
  if (read.names) return replaceAction(read.names.from, read.names.to);
  if (read.kind === 'removal') {
    const [removed] = read.removed;
    const instead = REPLACEMENT.exec(text)?.[1];
    if (removed && instead && bareName(instead) !== removed) return replaceAction(removed, instead);
    if (read.removed.length > 0) return { text: `Stop using ${read.removed.map(code).join(', ')}` };
  }
  return null;
}

function isOrder(text: string): boolean {
  const plain = text.replace(/^[\s*_>-]+/, '');
  return VERB.test(plain) && !NO_ORDER.test(plain);
}

// The names of a rename whose words are kept.
function exchange({ names }: ReadStep): Partial<Wording> {
  return names && /[(.]/.test(names.from + names.to) ? { before: names.from, after: names.to } : {};
}

function replaceAction(from: string, to: string): Wording {
  return { text: `Replace ${code(from)} with ${code(to)}` };
}

function floorAction({ of, numbers, isAbove }: NonNullable<ReadStep['floor']>): Wording {
  const name = NAMES[of] ?? code(of);
  const version = numbers.join('.');
  return { text: isAbove ? `Raise ${name} above ${version}` : `Raise ${name} to ${version} or newer` };
}

function actionOfFinding({ kind, text }: AskedStep, finding: Shown | undefined): Wording | null {
  const field = finding && finding.was !== null && finding.is !== null ? fieldOf(finding) : null;
  const values = field ? { before: field.before, after: field.after } : {};
  if (kind === 'runtime') {
    const version = /\b(?:needs|requires) Node (\d[\w. ]*?)(?= \(|$|;|,)/.exec(text)?.[1];
    return { text: version ? `Raise Node to ${version} or newer` : `Raise Node: it ${text}`, ...values };
  }
  if (kind === 'peer') {
    const [, name = '', range = '', beside] = /needs `([^`]+)` (.*?)( beside it)?(?: \(.*)?$/.exec(text) ?? [];
    if (name === '') return null;
    return { text: `${beside ? 'Install' : 'Raise'} ${code(name)} ${beside ? '' : 'to '}${code(range)}`, ...values };
  }
  if (kind === 'removal') {
    const names = [...text.matchAll(/`([^`]{1,200})`/g)].map((match) => match[1] ?? '');
    return names[0] ? { text: `Stop using ${code(names[0])}` } : null;
  }
  const module = /^`([^`]+)` can only be imported/.exec(text)?.[1];
  if (module) {
    return {
      text: `Import ${code(module)} where it is required today`,
      before: `require('${module}')`,
      after: `import … from '${module}'`,
    };
  }
  return null;
}

function fieldOf({ name, was, is }: Shown): { before: string; after: string } | null {
  return name.includes('.') ? { before: `${name}: "${was}"`, after: `${name}: "${is}"` } : null;
}

// Names that are gone without a word of the notes: one thing to do, the names are told below.
function stopUsing<T extends AskedStep>(gone: readonly T[]): Action<T> {
  const names = gone.flatMap(({ text }) => /`([^`]{1,200})`/.exec(text)?.[1] ?? []);
  const named = names.slice(0, MOST_TOGETHER).map(code).join(', ');
  const rest = gone.length - Math.min(names.length, MOST_TOGETHER);
  return {
    text: `Stop using what is gone: ${named}${rest > 0 ? ` and ${rest} more` : ''}`,
    before: null,
    after: null,
    steps: [...gone],
  };
}

function code(name: string): string {
  return `\`${name.replaceAll('`', '')}\``;
}
