// Reads the notes that monorepo tools write for every package of a push.
import { isHeadingLine } from '../markdown/headings.ts';

export interface CascadeBody {
  // Commits of other packages that this one depends on ("Updated dependencies [abc1234]").
  followed: ReadonlySet<string>;
  // Commits that the body describes itself ("abc1234: Add retries").
  described: ReadonlySet<string>;
  // Packages that the body only names, as `name@version`.
  dependencies: readonly string[];
  // The body says nothing but "Version bump only for package …".
  isBump: boolean;
  // How many letters are neither heading nor list of dependencies.
  substance: number;
  length: number;
}

const LINK = /\[([^[\]\n]{0,200})\]\([^()\s]{0,2048}\)/g;
const BULLET = /^\s{0,12}[-*+]\s+(?<text>.+)$/;
const BOLD_LINE = /^\s*(?:\*\*|__)[^*_]{1,80}(?:\*\*|__)\s*$/;
const UPDATED = /^updated dependencies\b(?<rest>.*)$/i;
const DESCRIBED =
  /^(?:#\d{1,7}\s+)?(?<hash>[0-9a-f]{7,40})(?::\s*|\s+thanks\b[^!]{0,200}!\s*-?\s*|\s+[-–]\s+)(?<text>\S.*)$/i;
const PACKAGE = /^(?<name>(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}@v?\d[\w.+-]{0,60})$/i;
const HASH = /\b[0-9a-f]{7,40}\b/gi;
const BUMP = /\bversion bump only\b/i;
const MAX_LINES = 5_000;

export function readCascadeBody(content: string): CascadeBody {
  const followed = new Set<string>();
  const described = new Set<string>();
  const dependencies: string[] = [];
  let bumps = 0;
  let substance = 0;
  for (const line of content.split('\n', MAX_LINES)) {
    const plain = line.replace(LINK, '$1').replaceAll('`', '').trimEnd();
    if (plain.trim() === '' || isHeadingLine(plain) || BOLD_LINE.test(plain)) continue;
    const bullet = BULLET.exec(plain)?.groups?.text;
    const text = (bullet ?? plain).trim();
    const updated = UPDATED.exec(text)?.groups?.rest;
    const own = bullet === undefined ? undefined : DESCRIBED.exec(text)?.groups;
    const named = bullet === undefined ? undefined : PACKAGE.exec(text)?.groups?.name;
    if (updated !== undefined) for (const [hash] of updated.matchAll(HASH)) followed.add(hash.toLowerCase());
    else if (named !== undefined) dependencies.push(named);
    else if (BUMP.test(text)) bumps += 1;
    else {
      if (own?.hash) described.add(own.hash.toLowerCase());
      substance += (own?.text ?? text).replace(/[^\p{L}\p{N}]+/gu, '').length;
    }
  }
  const isBump = bumps > 0 && substance === 0 && described.size === 0 && followed.size === 0;
  return { followed, described, dependencies, isBump, substance, length: content.length };
}

// Whether the body looks like the notes of one of several packages of a push.
export function isCascading({ followed, described, dependencies, isBump }: CascadeBody): boolean {
  return followed.size > 0 || described.size > 0 || dependencies.length > 0 || isBump;
}
