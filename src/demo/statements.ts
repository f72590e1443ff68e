import type { DemoRelease } from './types.ts';

// Marks that would change their look when quoted elsewhere.
export const MARKUP = /[`*_[\]<>|#]/;

/**
 * Plain statements of a release: exact pieces of its body, one for each list entry, without marks, references,
 * authors and closing period. A piece that holds markup is left out, so that it reads the same wherever it is quoted.
 */
export function statementsOf(release: DemoRelease): string[] {
  return release.content
    .split('\n')
    .filter(
      (line) => /^[-*•] /.test(line) && !line.includes('Updated dependencies') && !line.includes('contribution in'),
    )
    .map((line) =>
      line
        .slice(2)
        .replace(/^\*\*[\w-]+:\*\* /, '')
        .replace(/^[0-9a-f]{7}: /, '')
        .replace(/ by @.*$/, '')
        .replace(/ \(\[#.*$/, '')
        .replace(/\.$/, ''),
    )
    .filter((text) => text.length >= 20 && text.length <= 150 && !MARKUP.test(text));
}
