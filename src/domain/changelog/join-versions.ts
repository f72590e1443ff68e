// Makes one entry of each version: sections of the same version are joined, and a section of several versions becomes
// several entries.
import { parseVersion } from '../versions/index.ts';
import type { ChangelogEntry, ChangelogSection } from './types.ts';

// The entries in the order of the file. No text is lost, because different bodies are joined.
export function joinVersions(sections: readonly ChangelogSection[]): ChangelogEntry[] {
  const usual = usualLevel(sections);
  const groups = new Map<string, ChangelogSection[]>();
  const order: { key: string; version: string | null; section: ChangelogSection }[] = [];
  for (const section of sections) {
    for (const version of [section.version, ...section.more]) {
      const key = version === null ? `#${section.offset}` : keyOf(version);
      const group = groups.get(key);
      if (group) group.push({ ...section, version });
      else groups.set(key, [{ ...section, version }]);
      order.push({ key, version, section });
    }
  }
  const entries: ChangelogEntry[] = [];
  for (const { key } of order) {
    const group = groups.get(key);
    if (!group) continue;
    groups.delete(key);
    entries.push(...byPackage(group).map((same) => joined(same, usual)));
  }
  // A joined entry has the offset of the heading that its title is from, which may be a later one.
  return entries.sort((a, b) => a.offset - b.offset);
}

// The sort key with build and flavour, so that `4.0` and `4.0.0` are the same version and `4.0+a` is another.
function keyOf(version: string): string {
  const key = parseVersion(version)?.sortKey;
  if (!key) return `text ${version.toLowerCase()}`;
  const build = /\+.*$/.exec(version)?.[0] ?? '';
  const flavour = /^v?[\d._]+(?<flavour>.*?)(?:\+.*)?$/i.exec(version)?.groups?.flavour ?? '';
  return `${key} ${flavour.replace(/^[-._]/, '').toLowerCase()} ${build.toLowerCase()}`;
}

// Groups sections by package. Sections without a package belong to the only package there is, else to each other.
function byPackage(sections: readonly ChangelogSection[]): ChangelogSection[][] {
  const groups = Map.groupBy(sections, ({ packagePart }) => packagePart);
  const bare = groups.get(null);
  groups.delete(null);
  if (groups.size < 2) return [[...sections]];
  return bare ? [bare, ...groups.values()] : [...groups.values()];
}

function joined(sections: readonly ChangelogSection[], usual: number): ChangelogEntry {
  const [first] = sections as [ChangelogSection];
  if (sections.length === 1) return withoutMore(first);
  const atUsualLevel = sections.filter(({ level }) => level === usual);
  const main = atUsualLevel.find(({ date }) => date) ?? atUsualLevel[0] ?? sections.find(({ date }) => date) ?? first;
  const versions = sections.flatMap(({ version }) => version ?? []);
  return {
    ...withoutMore(main),
    version: versions.reduce((longest, version) => (version.length > longest.length ? version : longest), ''),
    packagePart: sections.find(({ packagePart }) => packagePart !== null)?.packagePart ?? null,
    date: main.date ?? sections.find(({ date }) => date)?.date ?? null,
    body: joinedBody(sections),
    yanked: sections.some(({ yanked }) => yanked),
    joined: sections.length,
  };
}

function joinedBody(sections: readonly ChangelogSection[]): string {
  const seen = new Set<string>();
  const bodies: string[] = [];
  for (const { body } of sections) {
    const text = body.replace(/\s+/g, ' ').trim();
    if (text === '' || seen.has(text)) continue;
    seen.add(text);
    bodies.push(body);
  }
  return bodies.join('\n\n');
}

function withoutMore({ more: _, ...entry }: ChangelogSection): ChangelogEntry {
  return entry;
}

function usualLevel(sections: readonly ChangelogSection[]): number {
  const counts = new Map<number, number>();
  for (const { level } of sections) counts.set(level, (counts.get(level) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}
