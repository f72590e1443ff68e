// Advisories as people speak of them: one problem, however many lists have it under a name of their own.
import type { Advisory } from './osv-record.ts';

export interface AdvisoryProblem {
  // The name by which it is best known.
  id: string;
  aliases: readonly string[];
  // A stranger's text.
  summary: string | null;
}

// People know the name that a code host has given before the one of a list.
const KNOWN_NAMES = [/^GHSA-/, /^CVE-/, /^PYSEC-/];

export function namedProblems(advisories: readonly Advisory[]): AdvisoryProblem[] {
  return distinctProblems(advisories).map((members) => {
    const ids = members.map(({ id }) => id);
    const id = KNOWN_NAMES.map((form) => ids.find((one) => form.test(one))).find((one) => one) ?? ids[0] ?? '';
    const names = new Set([...ids, ...members.flatMap(({ aliases }) => aliases)]);
    names.delete(id);
    return { id, aliases: [...names], summary: members.find(({ summary }) => summary !== null)?.summary ?? null };
  });
}

// Advisories that name each other as aliases, in either direction, are one problem.
export function distinctProblems(advisories: readonly Advisory[]): Advisory[][] {
  const groups: { names: Set<string>; members: Advisory[] }[] = [];
  for (const advisory of advisories) {
    const names = new Set([advisory.id, ...advisory.aliases]);
    const joined = groups.filter((group) => [...names].some((name) => group.names.has(name)));
    const merged = {
      names: new Set([...names, ...joined.flatMap((group) => [...group.names])]),
      members: [...joined.flatMap(({ members }) => members), advisory],
    };
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  return groups.map(({ members }) => members);
}
