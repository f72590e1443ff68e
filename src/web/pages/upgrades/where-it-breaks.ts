// Where an upgrade breaks: each version with what its notes say and what its package shows, the lines that matter most in sight.
import type { EvidenceFinding } from '../../../contract/evidence.ts';
import type { UpgradeEntry, WhatsChanged } from '../../../contract/whats-changed.ts';
import type { PlacedFindings } from '../../../domain/evidence/place-findings.ts';
import { KIND_WORDS } from '../../../domain/evidence/roads.ts';
import { type ToldLine, toldLines } from '../../../domain/evidence/tell.ts';
import { type Html, html, plural } from '../../components/html.ts';
import { icon } from '../../components/icon.ts';
import { versionMark } from '../../components/marks.ts';
import { sureMark, wasIs } from '../../components/package-evidence.ts';
import { inlineCode } from '../../components/prose.ts';
import { notesSay, versionHead } from '../../components/upgrade-versions.ts';
import { bareVersion, verdictGlyph } from '../../components/verdict.ts';
import { anchorOf, isBreakingVersion } from '../../components/version-lanes.ts';

type Line = ToldLine<EvidenceFinding>;
type Place = PlacedFindings<EvidenceFinding>;

// In sight before anything is opened.
const SHOWN_LINES = 12;
const SHOWN_ARTICLES = 12;
const MAX_FOLDED = 400;
const MAX_NAMES = 200;

interface Part {
  entry: UpgradeEntry | null;
  place: Place | null;
  lines: Line[];
}

export function whereItBreaks(answer: WhatsChanged, places: readonly Place[]): Html {
  const parts = partsOf(answer, places);
  if (parts.length === 0) return '';
  const shown = shownLines(parts);
  const articles = parts.map((part) => article(part, answer, shown));
  const folded = articles.slice(SHOWN_ARTICLES);
  const order = places.length > 0 ? 'What people use comes first, types that nobody names last.' : '';
  return html`<section class="block" id="breaking" aria-labelledby="breaking-h"><div class="spread"><h2 id="breaking-h">Where it breaks</h2>${order ? html`<p class="small muted">${order}</p>` : ''}</div>${articles.slice(0, SHOWN_ARTICLES)}${folded.length > 0 ? html`<details class="fold"><summary>${icon('chevron')}${plural(folded.length, 'more version')}</summary>${folded}</details>` : ''}</section>`;
}

function partsOf({ entries, fromVersion, toVersion }: WhatsChanged, places: readonly Place[]): Part[] {
  const located = new Map(places.filter(({ isLocated }) => isLocated).map((place) => [place.to, place]));
  const parts: Part[] = [];
  for (const entry of entries) {
    const version = entry.version ? bareVersion(entry.version).replace(/^v(?=\d)/, '') : '';
    const place = located.get(version) ?? null;
    if (place) located.delete(version);
    if (isBreakingVersion(entry) || (place && place.findings.length + place.notYours.length > 0)) {
      parts.push({ entry, place, lines: toldLines(place?.findings ?? []) });
    }
  }
  const others = places.filter((place) => !place.isLocated || located.has(place.to));
  const isWhole = ({ from, to }: Place) => from === fromVersion && to === toVersion;
  // What is not located comes last.
  return [
    ...parts,
    ...others
      .filter(({ findings, notYours }) => findings.length + notYours.length > 0)
      .sort((one, other) => Number(isWhole(one)) - Number(isWhole(other)))
      .map((place) => ({ entry: null, place, lines: toldLines(place.findings) })),
  ];
}

// The heaviest lines of all versions.
function shownLines(parts: readonly Part[]): Set<Line> {
  const all = parts.flatMap(({ lines }) => lines);
  const first = all.toSorted(
    (one, other) =>
      Number(other.certainty === 'proven') - Number(one.certainty === 'proven') || other.weight - one.weight,
  );
  return new Set(first.slice(0, SHOWN_LINES));
}

function article({ entry, place, lines }: Part, answer: WhatsChanged, shown: ReadonlySet<Line>): Html {
  if (entry === null && place !== null) return unlocated(place, lines, shown);
  if (entry === null) return '';
  const level = isBreakingVersion(entry) ? 'major' : 'minor';
  const isCompared = entry.evidence !== undefined || place !== null;
  const silent =
    isCompared && lines.length === 0 && !place?.notYours.length
      ? html`<div><h4>${icon('package')}Package shows</h4><p class="silent">No sign of it in names, types and package.json. What code does is not seen.</p></div>`
      : '';
  return html`<article class="brk${level === 'minor' ? ' minor' : ''}" id="${articleId(entry)}">${versionHead(entry, level)}
<div class="says">${notesSay(entry, answer)}${lines.length > 0 || place?.notYours.length ? html`<div><h4>${icon('package')}Package shows</h4>${listOf(lines, shown)}${notYours(place)}</div>` : silent}</div></article>
`;
}

// Versions that may break have no place of their own in the notes.
function articleId(entry: UpgradeEntry): string {
  const anchor = anchorOf(entry);
  return anchor.startsWith('b-') ? anchor : `p-${entry.id}`;
}

function unlocated(place: Place, lines: readonly Line[], shown: ReadonlySet<Line>): Html {
  const { from, to, isLocated } = place;
  const level = lines.some(({ certainty }) => certainty === 'proven') ? 'major' : 'minor';
  const head = isLocated
    ? html`${versionMark(to)}<h3>Has no notes here</h3>`
    : html`<h3>Between ${versionMark(from)} and ${versionMark(to)}</h3>`;
  return html`<article class="brk${level === 'minor' ? ' minor' : ''}"><header>${verdictGlyph(level)}${head}</header><div class="says"><div><h4>${icon('package')}Package shows</h4>${listOf(lines, shown)}${notYours(place)}</div></div></article>
`;
}

function listOf(lines: readonly Line[], shown: ReadonlySet<Line>): Html {
  if (lines.length === 0) return '';
  const [first, more] = [lines.filter((line) => shown.has(line)), lines.filter((line) => !shown.has(line))];
  const folded = more.slice(0, MAX_FOLDED);
  const left = more.length - folded.length;
  return html`${first.length > 0 ? html`<ul class="findings">${first.map(lineItem)}</ul>` : ''}${
    folded.length > 0
      ? html`<details class="fold"><summary>${icon('chevron')}${plural(more.length, first.length > 0 ? 'more line' : 'change')}</summary><ul class="findings">${folded.map(lineItem)}</ul>${left > 0 ? html`<p class="muted small">${plural(left, 'more line is', 'more lines are')} in the JSON of this page.</p>` : ''}</details>`
      : ''
  }`;
}

function lineItem({ certainty, text, finding, names }: Line): Html {
  const head = html`<div class="what"><span>${inlineCode(text)}</span>${sureMark(certainty)}</div>`;
  if (finding === null) return html`<li class="finding">${head}${nameFold(names, 'Show')}</li>`;
  const { kind, was, is, subpath } = finding;
  const entry =
    subpath === '' || subpath === '.' ? '' : html`<p class="entry">Imported from <code>${subpath}</code></p>`;
  return html`<li class="finding">${head}${is === null && KIND_WORDS.has(was ?? '') ? '' : wasIs({ kind, was, is })}${entry}${names.length > 0 ? nameFold(names, 'Also as') : ''}</li>`;
}

function nameFold(names: readonly string[], words: string): Html {
  if (names.length === 0) return '';
  const left = names.length - MAX_NAMES;
  const rest = left > 0 ? html`<li>and ${left} more</li>` : '';
  if (words !== 'Show' && names.length <= 2) {
    return html`<p class="entry">${words} ${names.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}</p>`;
  }
  return html`<details class="fold"><summary>${icon('chevron')}${words} ${names.length === 1 ? 'it' : names.length}</summary><ul class="names">${names.slice(0, MAX_NAMES).map((name) => html`<li>${name}</li>`)}${rest}</ul></details>`;
}

// What came and went between the two versions.
function notYours(place: Place | null): Html {
  const lines = toldLines(place?.notYours ?? []).slice(0, MAX_FOLDED);
  if (!place || lines.length === 0) return '';
  return html`<details class="fold not-yours"><summary>${icon('chevron')}${plural(lines.length, 'change that is', 'changes that are')} not yours</summary><p class="small muted">Only who uses a version between the two meets ${lines.length === 1 ? 'it' : 'them'}: your version and the new one agree on ${lines.length === 1 ? 'it' : 'them'}.</p><ul class="findings">${lines.map(lineItem)}</ul></details>`;
}
