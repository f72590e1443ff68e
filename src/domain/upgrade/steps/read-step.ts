// What one step of the notes asks for: its kind, and the floor or the names by which it is known again in another release.

// Floors: the lowest version of a runtime, or of a package beside this one, that an upgrade asks for.

interface Floor {
  kind: 'runtime' | 'peer';
  // What has to be at least that new, such as `node`.
  of: string;
  numbers: readonly number[];
  // The version itself is no longer enough: "drops Node 16".
  isAbove: boolean;
}

const RUNTIMES: readonly [of: string, name: string][] = [
  ['node', String.raw`node(?:\.?\s?js)?`],
  ['python', 'python'],
  ['php', 'php'],
  ['ruby', 'ruby'],
  ['java', 'java|jdk|jre'],
  ['deno', 'deno'],
  ['bun', 'bun'],
  ['dotnet', String.raw`\.net|dotnet`],
  ['npm', 'npm'],
  ['yarn', 'yarn'],
  ['pnpm', 'pnpm'],
  ['typescript', 'typescript|ts'],
  ['rust', 'rust|msrv'],
];
const PEERS =
  'react react-dom react-native vue svelte angular preact solid-js eslint webpack vite rollup jest vitest babel next nuxt ' +
  'graphql postcss tailwindcss prettier zod rxjs django flask pydantic sqlalchemy numpy';

const SUBJECTS = [
  ...RUNTIMES.map(([of, name]) => ({ kind: 'runtime' as const, of, name: subject(name) })),
  // A package may speak of itself by its own name, so only a version beside the name counts.
  ...PEERS.split(' ').map((of) => ({ kind: 'peer' as const, of, name: subject(`${of}(?=[\\s@v^~>=]{0,4}\\d)`) })),
];

function subject(names: string): RegExp {
  return new RegExp(String.raw`(?<![\w./@-])(?:${names})(?![a-z/-]|\.\w)`, 'i');
}

// A longer text says more than its floor, and would be lost with a lower one.
const MAX_FLOOR_LENGTH = 200;
const CLAUSES = /[.;](?:\s|$)|\s[-–—]\s|,\s+(?!(?:and\s+|or\s+)?[v^~<>=\s]*\d)|\sand\s+(?![v^~<>=\s]*\d)/;
const NUMBER = String.raw`v?(\d{1,4}(?:\.\d{1,4}){0,3})`;
const NUMBERS = new RegExp(String.raw`(?<![\w.])${NUMBER}(?:\.x)?(?![\w])`, 'gi');
const BELOW = new RegExp(
  String.raw`(?:<(?!=)|\b(?:below|before|older than|prior to|lower than|less than|under))\s*${NUMBER}`,
  'i',
);
const RAISED = new RegExp(String.raw`\bfrom\s+${NUMBER}(?:\.x)?\s+to\s+${NUMBER}`, 'i');
const DROPS = /\b(?:drop\w*|remov\w+|no longer|end(?:s|ed)? (?:of )?(?:support|life)|unsupported|discontinu\w+)\b/i;
const REQUIRES =
  /\b(?:requir\w+|minimum|min|at least|needs?|(?:or|and) (?:newer|later|higher|above|greater|up)|only supports?|supported|upgrade|update|run|bump\w*|rais\w*|increas\w*|engines?)\b|>=|\d\+/i;

// The highest floor that a step sets; null when it sets none.
function floorOf(text: string): Floor | null {
  const plain = text.replaceAll('`', '');
  if (plain.length > MAX_FLOOR_LENGTH) return null;
  const about = SUBJECTS.filter(({ name }) => name.test(plain));
  const [first] = about;
  if (!first) return null;
  // "Upgrading Node.js: version 5 requires Node.js 20" tells it behind the heading.
  const said = plain.slice(plain.indexOf(': ') + 1);
  const floors = (first.name.test(said) ? said : plain)
    .split(CLAUSES)
    .flatMap((clause) => floorIn(clause, first) ?? []);
  return floors.reduce<Floor | null>((high, floor) => (high && !isHigher(floor, high) ? high : floor), null);
}

function floorIn(clause: string, { kind, of, name }: (typeof SUBJECTS)[number]): Floor | null {
  const floor = (version: string, isAbove = false): Floor => ({ kind, of, numbers: numbersOf(version), isAbove });
  const below = BELOW.exec(clause)?.[1];
  if (below !== undefined) return floor(below);
  const raised = RAISED.exec(clause)?.[2];
  if (raised !== undefined) return floor(raised);
  const start = clause.search(name);
  const versions = [...clause.slice(Math.max(0, start)).matchAll(NUMBERS)].map((match) => match[1] ?? '');
  const rising = versions.sort((one, other) => compareNumbers(numbersOf(one), numbersOf(other)));
  const [lowest, highest] = [rising[0], rising.at(-1)];
  if (lowest === undefined || highest === undefined) return null;
  if (DROPS.test(clause)) return start === -1 ? null : floor(highest, true);
  return REQUIRES.test(clause) ? floor(lowest) : null;
}

// The floor of a field of package.json, such as `>=20` or `^18 || ^19`.
export function floorOfField(kind: Floor['kind'], of: string, range: string): Floor | null {
  const versions = [...range.matchAll(NUMBERS)].map((match) => numbersOf(match[1] ?? '')).sort(compareNumbers);
  return versions[0] ? { kind, of, numbers: versions[0], isAbove: false } : null;
}

export function isHigher(one: Floor, other: Floor): boolean {
  const order = compareNumbers(one.numbers, other.numbers);
  return order > 0 || (order === 0 && one.isAbove && !other.isAbove);
}

function numbersOf(version: string): number[] {
  return version.split('.').map(Number);
}

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const order = (one[index] ?? 0) - (other[index] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

export const STEP_KINDS = ['runtime', 'peer', 'rename', 'removal', 'option', 'codemod', 'manual'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface ReadStep {
  kind: StepKind;
  text: string;
  floor: Floor | null;
  // A rename: the old name and the new one.
  names: { from: string; to: string } | null;
  // A removal: what is gone.
  removed: readonly string[];
}

const NAME = '`([^`]{1,120})`';
const GAP = '[^`]{0,60}?';
const RENAMES: readonly [pattern: RegExp, from: 1 | 2][] = [
  [
    new RegExp(String.raw`\brenam(?:e[ds]?|ing)\b${GAP}${NAME}${GAP}(?:\b(?:to|as|into)\b|→|[-=]>)${GAP}${NAME}`, 'i'),
    1,
  ],
  [new RegExp(String.raw`${NAME}${GAP}\b(?:renamed|called|named)\b${GAP}${NAME}`, 'i'), 1],
  [new RegExp(String.raw`${NAME}\s*(?:→|➜|[-=]>)\s*${NAME}`), 1],
  [new RegExp(String.raw`\breplac(?:e[ds]?|ing)\b${GAP}${NAME}${GAP}\b(?:with|by)\b${GAP}${NAME}`, 'i'), 1],
  [new RegExp(String.raw`${NAME}${GAP}\breplaced (?:with|by)\b${GAP}${NAME}`, 'i'), 1],
  [new RegExp(String.raw`\buse\b${GAP}${NAME}${GAP}\b(?:instead of|in place of|rather than)\b${GAP}${NAME}`, 'i'), 2],
  [new RegExp(String.raw`\binstead of\b${GAP}${NAME}${GAP}\buse\b${GAP}${NAME}`, 'i'), 1],
  [new RegExp(String.raw`\bchang(?:e[ds]?|ing)\b${GAP}${NAME} to ${NAME}`, 'i'), 1],
];
const REMOVED =
  /\b(?:remov(?:e[ds]?|al|ing)|delet(?:e[ds]?|ing)|drop(?:s|ped|ping)?|gone|no longer (?:exists?|exported|available|supported|provided|included|accepted|part)|discontinued)\b/i;
const CODEMOD =
  /\bcodemods?\b|\bjscodeshift\b|\bng update\b|\bautomatic(?:ally)? (?:migrat|fix|updat)|`[^`]*\b(?:migrate|codemod|upgrade)\b[^`]*`/i;
const RUN = /\brun(?:s|ning)?\b|\bnpx\b|\bcodemods?\b|\bng update\b|\bjscodeshift\b/i;
const PLATFORM =
  /\b(?:IE ?\d*|internet explorer|safari|chrome|firefox|edge|browsers?|windows|macos|linux|android|ios|es5|es20\d\d|node(?:\.?js)?|python|php|ruby|java|deno|bun)\b/i;
const PLATFORM_CHANGE = /\b(?:drop(?:s|ped|ping)?|supports?|supported|requires?|required|minimum|targets?)\b/i;
const PEER = /\bpeer[\s-]?dep/i;
const OPTION =
  /\b(?:options?|flags?|settings?|config(?:uration)?s?|defaults?|parameters?|environment variables?|env vars?|properties|property|props?)\b|`--?[a-z]/i;

export function readStep(text: string): ReadStep {
  const step = { text, floor: null, names: null, removed: [] };
  if (CODEMOD.test(text) && RUN.test(text)) return { ...step, kind: 'codemod' };
  const floor = floorOf(text);
  if (floor) return { ...step, kind: PEER.test(text) ? 'peer' : floor.kind, floor };
  if (PEER.test(text)) return { ...step, kind: 'peer' };
  const isRemoved = REMOVED.test(text);
  const names = renameIn(text);
  if (names && !isRemoved) return { ...step, kind: 'rename', names };
  if (isRemoved && !text.includes('`') && PLATFORM.test(text)) return { ...step, kind: 'runtime' };
  if (isRemoved) return { ...step, kind: 'removal', removed: removedIn(text) };
  if (PLATFORM_CHANGE.test(text) && PLATFORM.test(text) && !text.includes('`')) return { ...step, kind: 'runtime' };
  return { ...step, kind: OPTION.test(text) ? 'option' : 'manual' };
}

function renameIn(text: string): ReadStep['names'] {
  for (const [pattern, from] of RENAMES) {
    const match = pattern.exec(text);
    if (!match) continue;
    const [one, other] = [bareName(match[1] ?? ''), bareName(match[2] ?? '')];
    if (one === other) continue;
    return from === 1 ? { from: one, to: other } : { from: other, to: one };
  }
  return null;
}

const REPLACEMENT = /\b(?:use|instead|in favou?r of|replaced|migrate to|switch to|prefer)\b/i;

// The names before the replacement, which is not gone. "Use `b` instead of the removed `a`" names it first.
function removedIn(text: string): string[] {
  const instead = /^\W*(?:please )?use\b.*?\binstead of\b/i.exec(text);
  const rest = instead ? text.slice(instead[0].length) : text;
  const end = rest.search(REPLACEMENT);
  const told = codeNames(end === -1 ? rest : rest.slice(0, end));
  return told.length > 0 ? told : codeNames(rest);
}

function codeNames(text: string): string[] {
  return [...new Set([...text.matchAll(/`([^`]{1,120})`/g)].map((match) => bareName(match[1] ?? '')))];
}

// A name without call, arguments and quotes: `new Pool(options)` is `Pool`.
export function bareName(code: string): string {
  return code
    .trim()
    .replace(/^new\s+/, '')
    .replace(/\(.*$/s, '')
    .replaceAll(/^["']|["';]$/g, '')
    .trim();
}
