// Whether a release repairs a security problem: an entry of that class, an advisory id, or a title that says so.
import { hasAdvisory } from './classify.ts';
import type { NoteBody, NoteSection } from './types.ts';

const SAID = /\bsecurity (?:fix(?:es)?|update|release|patch|advisory|hotfix)\b/i;

export function isSecurityRelease(title: string, { content, items, asides }: NoteBody): boolean {
  if (hasAdvisory(title) || hasAdvisory(content) || SAID.test(title)) return true;
  return (
    items.some((item) => item.class === 'security' || isAbout(item.section)) ||
    asides.some((one) => isAbout(one.section))
  );
}

function isAbout(section: NoteSection | null): boolean {
  return section !== null && section.class === 'security' && !section.skipped;
}
