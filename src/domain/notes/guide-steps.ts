// The steps of a migration guide: one for each of its lowest headings, in the words of the heading and of what follows it.
import type { NoteBlock } from './block-list.ts';
import { scanBlocks } from './blocks.ts';
import { migrationSteps } from './steps.ts';

const MOST_STEPS = 60;
const LONGEST_GUIDE = 20_000;
const LONGEST_HEADING = 160;
const LONGEST_TEXT = 200;
const FEWEST_HEADINGS = 2;
const FEWEST_ENTRIES = 2;
// Headings above what asks for nothing.
const ASIDE =
  /^\W*(?:introduction|overview|summary|contents?|table of contents|new features?|features|what'?s new|install(?:ation|ing)?|getting started|requirements?|credits|thanks|contributors?|support|help|questions|faq|links|resources|conclusion|why\b.*|notes?|before|after|examples?|background|motivation)\W*$/i;

interface Part {
  heading: string;
  body: string;
}

export function guideSteps(guide: string): string[] {
  const text = guide.slice(0, LONGEST_GUIDE);
  const parts = lowestParts(text);
  const steps = parts.length < FEWEST_HEADINGS ? migrationSteps(text) : parts.flatMap(stepsOfPart);
  return [...new Set(steps)].slice(0, MOST_STEPS);
}

// The parts of a text below headings that have no heading of their own below them.
function lowestParts(text: string): Part[] {
  const blocks = scanBlocks(text);
  const headings = blocks.filter(isHeading);
  return headings.flatMap((block, index) => {
    const next = headings[index + 1];
    if (next && next.level > block.level && isEmptyBetween(blocks, block, next)) return [];
    const heading = text.slice(block.start, block.end).replaceAll(/^#+|#+$/g, '');
    if (ASIDE.test(heading.replaceAll(/[*_`]/g, ''))) return [];
    return [{ heading, body: text.slice(block.end, next?.lineStart ?? text.length) }];
  });
}

function isHeading({ kind, label, level }: NoteBlock): boolean {
  return kind === 'heading' && !label && level <= 6;
}

function isEmptyBetween(blocks: readonly NoteBlock[], one: NoteBlock, other: NoteBlock): boolean {
  return blocks.indexOf(other) === blocks.indexOf(one) + 1;
}

function stepsOfPart({ heading, body }: Part): string[] {
  const [name = ''] = migrationSteps(heading.trim().slice(0, LONGEST_HEADING));
  const entries = migrationSteps(body);
  const listed = scanBlocks(body).filter(({ kind, indent }) => kind === 'item' && indent < 2).length;
  if (listed >= FEWEST_ENTRIES) return entries;
  const [first = ''] = entries;
  if (name === '') return first === '' ? [] : [first];
  if (first === '') return [name];
  const sentence = /^.{20,}?[.!?](?=\s)/s.exec(first)?.[0] ?? first;
  return [sentence.length > LONGEST_TEXT ? name : `${name.replace(/[.:]$/, '')}: ${sentence}`];
}
