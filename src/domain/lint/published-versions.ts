// The versions of a changelog beside those that were published. Lists of versions are incomplete, so only what stands above the
// newest, or between the last archive and the coming release, is said to be no release.
import { compareVersionKeys, flagsPrerelease, isPrerelease, parseVersion } from '../versions/index.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import { unreadHeadings } from './headings.ts';
import { isMeantAs, type LintedFile, type LintSection, MANY_WORDS } from './sections.ts';

export interface PublishedVersions {
  // The version that is about to be released; null when nothing is.
  coming: string | null;
  // The last one that was published; null for a package that is not published.
  last: string | null;
  versions: readonly string[];
  // Once out and taken back.
  unpublished: readonly string[];
}

interface Listed {
  versions: readonly string[];
  unpublished?: readonly string[];
  // By its tag; null when nothing was published.
  latest: string | null;
  // What the manifest, or who asks, says is to be looked at.
  version: string | null;
}

// Which release is looked at: one that is out, or one that comes.
export function releaseState({ versions, unpublished = [], latest, version }: Listed): PublishedVersions {
  const key = keyOfVersion(version);
  const out = versions.flatMap((one) => {
    const other = keyOfVersion(one);
    return other === null ? [] : [{ version: one, key: other }];
  });
  const same = out.find((one) => one.key === key);
  // Some tools keep the manifest at 0.0.0 and fill the version in when they publish.
  const isNone = key === null || /^0\.0\.0(?:-|$)/.test(version ?? '');
  if (same || isNone) return { coming: null, last: same?.version ?? latest, versions, unpublished };
  // The highest below it, so that an older line is compared with itself.
  const isPre = isPrerelease(version);
  const below = out.filter((one) => compareVersionKeys(one.key, key) < 0 && (isPre || !isPrerelease(one.version)));
  const last = below.reduce<(typeof out)[number] | null>(
    (most, one) => (most === null || compareVersionKeys(one.key, most.key) > 0 ? one : most),
    null,
  );
  return { coming: version, last: last?.version ?? null, versions, unpublished };
}

export function keyOfVersion(version: string | null): string | null {
  return version === null ? null : (parseVersion(version)?.sortKey ?? null);
}

const OPEN = /^\s{0,3}#{1,6}[\s[]{0,5}(?:unreleased|master|main|next|upcoming|head)\b/i;
const MOVED =
  /\b(?:see|moved|find|now|are|is|at|in|on)\b[^\n]{0,120}\breleases?\b|\/releases\b|\bno longer (?:maintained|updated|kept)\b/i;

export function missingNewest(file: LintedFile, { coming, last }: PublishedVersions): LintFinding[] {
  const version = coming ?? last;
  const key = keyOfVersion(version);
  const [first] = file.sections;
  if (version === null || key === null || first === undefined) return [];
  if (file.sections.some(({ keys }) => keys.includes(key))) return [];
  // Its heading is there, and is told to be unreadable.
  if (unreadHeadings(file).some(({ text }) => isMeantAs(text, version))) return [];
  const parsed = parseVersion(version);
  const isPre = parsed !== null && flagsPrerelease(parsed);
  // Notes of pre-releases are often those of the release that they lead to.
  if (isPre) return [];
  const open = file.lines.slice(0, first.line - 1).findIndex((line) => OPEN.test(line.slice(0, 200)));
  const head = file.lines
    .slice(0, first.line - 1)
    .join('\n')
    .slice(0, 4000);
  if (coming === null && MOVED.test(head)) return [];
  return [
    lintFinding(
      'newest-missing',
      { line: first.line, version },
      {
        sentence:
          coming === null
            ? `${version} was published and has no entry.`
            : `${version} is about to be released and has no entry.`,
        evidence: [
          `the first section is ${first.version}, line ${first.line}`,
          ...(open < 0 ? [] : [`line ${open + 1}: ${(file.lines[open] ?? '').slice(0, 120)}`]),
        ],
        advice:
          open < 0
            ? `Add a section "## ${version}" above line ${first.line} that says what changes.`
            : `Give line ${open + 1} the version, or add a section "## ${version}" below it that says what changes.`,
      },
    ),
  ];
}

export function neverPublished(file: LintedFile, published: PublishedVersions): LintFinding[] {
  const [coming, last] = [keyOfVersion(published.coming), keyOfVersion(published.last)];
  if (last === null) return [];
  const out = new Set([...published.versions, ...published.unpublished].flatMap((one) => keyOfVersion(one) ?? []));
  const listed = published.versions.flatMap((one) => keyOfVersion(one) ?? []);
  const newest = [...listed, last].reduce((most, key) => (compareVersionKeys(key, most) > 0 ? key : most));
  return file.sections.flatMap((section) => {
    if (section.keys.some((key) => out.has(key) || key === coming || key === last) || section.isWithdrawn) return [];
    if (section.besides >= MANY_WORDS) return [];
    if (!isClaimed(section, { coming, last, newest })) return [];
    return [
      lintFinding(
        'never-published',
        { line: section.line, version: section.version },
        {
          sentence: `${section.version} has an entry and was never published.`,
          evidence: [`the last published version is ${published.last}`],
          advice: `Publish ${section.version}, move its lines to the coming release, or mark it "(not published)".`,
        },
      ),
    ];
  });
}

interface Bounds {
  coming: string | null;
  last: string;
  newest: string;
}

function isClaimed(section: LintSection, { coming, last, newest }: Bounds): boolean {
  const isAbove = compareVersionKeys(section.key, newest) > 0;
  if (coming === null) return isAbove;
  const isBetween = compareVersionKeys(section.key, last) > 0 && compareVersionKeys(section.key, coming) < 0;
  // Without a day it may be the plan of a release that went another way.
  return isBetween ? section.date !== null : isAbove && compareVersionKeys(section.key, coming) > 0;
}

const MAX_GAPS = 100;

// Stable versions without an entry since the version that was archived: of what is out long ago nobody writes the notes any more.
export function entryGaps(
  file: LintedFile,
  { versions, last }: PublishedVersions,
  archived: string | null,
): LintFinding[] {
  const named = new Set(file.sections.flatMap(({ keys }) => keys));
  const [high, since] = [keyOfVersion(last), keyOfVersion(archived)];
  if (named.size === 0 || high === null || since === null) return [];
  const stable = versions
    .flatMap((version) => {
      const parsed = parseVersion(version);
      return parsed?.sortKey && !flagsPrerelease(parsed) ? [{ version, key: parsed.sortKey }] : [];
    })
    .filter(({ key }) => compareVersionKeys(key, high) < 0 && compareVersionKeys(key, since) > 0)
    .sort((one, other) => compareVersionKeys(other.key, one.key));
  return stable
    .filter(({ key }) => !named.has(key))
    .slice(0, MAX_GAPS)
    .map(({ version }) =>
      lintFinding(
        'entry-gap',
        { line: null, version },
        {
          sentence: `${version} was published and has no entry.`,
          advice: 'Add one, even if it says that nothing changed for users.',
        },
      ),
    );
}
