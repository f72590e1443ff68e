// Whether a program has written a file: its first comment says so. What stands in it is made anew by the generator.

const HEAD_LENGTH = 4000;
const COMMENTS =
  /^\uFEFF?(?:#![^\n]*\n)?(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(["'])use strict\1;?)*/;
const MARK =
  /@generated\b|\bauto(?:matically)?[- ]?generated\b|\bdo not (?:manually )?(?:edit|modify|change)\b|\bshould not be (?:manually )?edited\b|\bgenerated (?:by|from|with|using)\b|\bfile (?:is|was|has been) generated\b/i;

export function isGenerated(text: string): boolean {
  return MARK.test(COMMENTS.exec(text.slice(0, HEAD_LENGTH))?.[0] ?? '');
}
