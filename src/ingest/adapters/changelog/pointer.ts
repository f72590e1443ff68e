// A release body that says nothing but where to read on.

const MAX_POINTER = 400;
const LINK = /!?\[(?<label>[^\][]{0,200})\]\([^()\s]{0,2048}\)/g;
const ADDRESS = /<?https?:\/\/[^\s<>]+>?/gi;
const FILE = /\b[\w./-]*(?:changelog|changes|history|releases|news)\.(?:md|rst|txt)\b/gi;
const POINTS = /\b(?:change-?logs?|changes|history|notes|news|releases|changed)\b/i;
const FILLER = new Set(
  `a about all also and announcement are at available be below blog can change changed changelog changelogs changes
  check complete description detailed details docs documentation entry file find for found from full further github
  here history in info information is it list log look more news notes of on our out page please post read refer
  release released releases section see that the there these this to under up version view website what what's whats
  you`.split(/\s+/),
);

// An empty body, or one line that only points at a changelog.
export function isPointer(body: string): boolean {
  const line = body.trim();
  if (line === '') return true;
  if (line.length > MAX_POINTER || line.includes('\n')) return false;
  const text = line.replace(LINK, ' $<label> ');
  const pointsSomewhere = POINTS.test(text) || text !== line || /https?:\/\//i.test(line);
  const words = text
    .replace(ADDRESS, ' ')
    .replace(FILE, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}.'’@/-]+/u)
    .map((word) => word.replaceAll('’', "'").replace(/^[.'-]+|[.'-]+$/g, ''))
    .filter((word) => word !== '');
  return pointsSomewhere && words.every((word) => FILLER.has(word) || /^v?\d/.test(word) || /@v?\d/.test(word));
}
