// Which tags of a repository a source is about.
import { compilePatterns, type Pattern } from '../../../domain/safe-pattern.ts';

export type TagFilter = (spellings: readonly string[]) => boolean;

// `tagAllow`, when it has patterns, decides alone; else `tagDeny`. Patterns that no longer compile are left out.
export function tagFilter(settings: string): TagFilter {
  const { tagAllow = [], tagDeny = [] } = JSON.parse(settings) as { tagAllow?: string[]; tagDeny?: string[] };
  const hits = (patterns: readonly Pattern[], spellings: readonly string[]) =>
    spellings.some((spelling) => patterns.some((pattern) => pattern.test(spelling)));
  if (tagAllow.length > 0) {
    const { patterns: allow } = compilePatterns(tagAllow);
    return (spellings) => hits(allow, spellings);
  }
  const { patterns: deny } = compilePatterns(tagDeny);
  return (spellings) => !hits(deny, spellings);
}

// Possible tags of an entry without one, because the patterns match tags.
export function tagSpellings(version: string | null): string[] {
  if (version === null) return [];
  const at = version.lastIndexOf('@');
  if (at <= 0) return [version, `v${version}`];
  const [name, number] = [version.slice(0, at), version.slice(at + 1)];
  return [version, `${name}-v${number}`, `${name}/v${number}`];
}
