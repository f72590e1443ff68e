// Findings as lines to read: what people use stands alone, members of one owner and types that nobody mentions are one line
// with their number.
import { byCertaintyAndWeight, type Finding, type Road } from './finding.ts';
import { withRoads } from './roads.ts';
import { isWeightOfMentioned, isWeightOfTypes } from './weight.ts';

export interface ToldLine<T extends Finding = Finding> {
  certainty: Finding['certainty'];
  text: string;
  // The one finding of the line; null for a line that stands for several.
  finding: T | null;
  // The further names of the line.
  names: string[];
  weight: number;
}

const MIN_MEMBERS = 4;
const MIN_OWNERS = 3;
const MIN_FAMILY = 3;
const MIN_PREFIX = 3;

export function toldLines<T extends Finding>(findings: readonly T[]): ToldLine<T>[] {
  const grouped = withRoads(findings);
  const taken = new Set<T>();
  const lines: ToldLine<T>[] = [];
  const note = (text: string, of: readonly T[]) => {
    for (const one of of) taken.add(one);
    const [first] = of;
    if (!first) return;
    const names = [...new Set(of.flatMap((one) => [one.name, ...(one.roads ?? []).map(roadName)]))];
    lines.push({ certainty: first.certainty, text, finding: null, names, weight: first.weight ?? 0 });
  };
  for (const one of grouped.filter(isOfManyOwners)) {
    note(`\`${lastOf(one.name)}\` is gone from ${(one.roads?.length ?? 0) + 1} places`, [one]);
  }
  const members = grouped.filter((one) => !taken.has(one) && one.kind === 'member_removed' && !isMentioned(one));
  for (const [owner, own] of Map.groupBy(members, ownerOf)) {
    if (owner !== '' && own.length >= MIN_MEMBERS) note(`${own.length} members of \`${owner}\` are gone`, own);
  }
  const types = grouped.filter((one) => !taken.has(one) && isQuietType(one));
  for (const [certainty, own] of Map.groupBy(types, (one) => one.certainty)) {
    for (const [kind, same] of Map.groupBy(own, (one) => (isGone(one) ? 'gone' : 'changed'))) {
      const words = kind === 'gone' ? 'gone' : certainty === 'likely' ? 'other types by their declarations' : 'changed';
      for (const [prefix, family] of familiesOf(same)) {
        const begin = prefix === '' ? '' : ` that ${family.length === 1 ? 'begins' : 'begin'} with \`${prefix}\``;
        note(`${family.length} types${begin} are ${words}`, family);
      }
    }
  }
  const alone = grouped
    .filter((one) => !taken.has(one))
    .map((finding) => ({
      certainty: finding.certainty,
      text: finding.text,
      finding,
      names: (finding.roads ?? []).map(roadName),
      weight: finding.weight ?? 0,
    }));
  return [...lines, ...alone].sort(byCertaintyThenWeight);
}

function isOfManyOwners(one: Finding): boolean {
  return one.kind === 'member_removed' && (one.roads?.length ?? 0) + 1 >= MIN_OWNERS;
}

function isMentioned({ weight = 0 }: Finding): boolean {
  return isWeightOfMentioned(weight);
}

function isGone({ kind }: Finding): boolean {
  return kind === 'export_removed' || kind === 'member_removed';
}

// A type that no text mentions.
function isQuietType(one: Finding): boolean {
  return isWeightOfTypes(one.weight ?? 0) && !isMentioned(one) && one.weight !== undefined;
}

function ownerOf({ name }: Finding): string {
  return name.split('.').slice(0, -1).join('.');
}

function lastOf(name: string): string {
  return name.split('.').at(-1) ?? name;
}

function roadName({ name, subpath }: Road): string {
  return subpath === '' || subpath === '.' ? name : `${subpath}: ${name}`;
}

// By the first word of their names; those that stand alone are one family without a name.
function familiesOf<T extends Finding>(types: readonly T[]): [prefix: string, family: T[]][] {
  const byWord = Map.groupBy(types, ({ name }) => firstWord(lastOf(name)));
  const families: [string, T[]][] = [];
  const others: T[] = [];
  for (const [word, own] of byWord) {
    if (word.length >= MIN_PREFIX && own.length >= MIN_FAMILY) families.push([word, own]);
    else others.push(...own);
  }
  if (others.length >= MIN_FAMILY) families.push(['', others]);
  return families;
}

function firstWord(name: string): string {
  return /^[^A-Za-z]*(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)/.exec(name)?.[0] ?? '';
}

function byCertaintyThenWeight(one: ToldLine, other: ToldLine): number {
  const [a, b] = [one, other].map(({ certainty, weight, finding, names, text }) => ({
    certainty,
    weight,
    subpath: finding?.subpath ?? '.',
    name: finding?.name ?? names[0] ?? text,
    kind: finding?.kind ?? ('member_removed' as const),
  }));
  return a && b ? byCertaintyAndWeight(a, b) : 0;
}
