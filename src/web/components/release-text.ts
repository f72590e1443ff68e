// The text of a release page: what to do first, the summary, what the publisher wrote or why there is nothing, and pictures.
import type { ReleaseDetail } from '../../contract/release.ts';
import { outsideUrl } from '../links.ts';
import { type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';
import { VERDICT_ICONS } from './marks.ts';
import { noticeBox } from './parts.ts';
import { inlineCode } from './prose.ts';
import { releaseReading } from './release-reading.ts';

// The author's text is shown, and readers are told when the place that it usually comes from says something else.
export function differenceNote({ authored, url }: ReleaseDetail): Html {
  if (!authored?.differs) return '';
  const parts = authored.differs.fields.map((name) => (name === 'content' ? 'text' : name)).join(' and ');
  return noticeBox(
    'info',
    html`Its author published this here. ${outsideUrl(url) ? html`<a href="${outsideUrl(url)}" rel="nofollow noopener noreferrer">The source</a>` : 'The source'} has another ${parts}.`,
  );
}

// Only a writer sees a release that an operator has suppressed.
export function withdrawnNote({ suppressed, suppressedBy, withdrawn }: ReleaseDetail): Html {
  if (suppressed && suppressedBy !== 'source') {
    return noticeBox('warning', 'An operator has suppressed this release. Only operators can read it.');
  }
  if (!withdrawn) return '';
  const past = 'It is shown because upgrades past it still bring what it changed.';
  return noticeBox(
    'warning',
    suppressed
      ? `The author has withdrawn this release. ${past}`
      : `This version was taken back at its package registry: install another one. ${past}`,
  );
}

const SIGNATURES: Record<ReleaseDetail['derivedBy'], string> = {
  model: 'Written by a model from this note',
  rules: 'Taken from the release notes',
  operator: 'Written by the operator of this registry',
};

// What the notes say themselves a few lines below is not said twice.
export function summary(release: ReleaseDetail): Html {
  if (!release.summary || releaseReading(release).isRepeated) return '';
  return html`<section class="aside-note" aria-label="Summary"><p dir="auto">${inlineCode(release.summary)}</p><p class="who">${icon('pen')}${SIGNATURES[release.derivedBy]}</p></section>`;
}

export function mustDo(release: ReleaseDetail): Html {
  const { steps: list } = releaseReading(release);
  if (list.length === 0) return '';
  const minor = release.breaking === 'minor' ? ' minor' : '';
  return html`<section class="must${minor}" aria-labelledby="must-h"><h2 id="must-h">${icon(VERDICT_ICONS[release.breaking])}Before you upgrade</h2><ol dir="auto">${list.map((step) => html`<li><span>${inlineCode(step)}</span></li>`)}</ol><p class="who">${stepsSignature(release)}</p></section>`;
}

// Steps that were taken from a part of a section say so, because the rest of it may matter too.
function stepsSignature(release: ReleaseDetail): string {
  const { taken } = releaseReading(release);
  if (taken === null) return SIGNATURES[release.derivedBy];
  const { section, quoted, entries } = taken;
  if (quoted === entries) return `Taken from “${section}”`;
  return `Taken from “${section}”: ${quoted} of its ${plural(entries, 'entry', 'entries')} ${quoted === 1 ? 'says' : 'say'} what to do. Read the others too`;
}

const NO_TEXT: Partial<Record<ReleaseDetail['sourceType'], string>> = {
  github: 'It was tagged on GitHub without a text, and no changelog of the repository has a section about it.',
  feed: 'Its entry in the feed has a title and no text.',
  appstore: 'The store shows this version without notes.',
};

// The address of a heading in a file, as a release that was read from a changelog has it.
const HEADING = /\/[^/#?]+\.(?:md|markdown|txt|rst)#/i;

export function noText(release: ReleaseDetail): Html {
  const original = outsideUrl(release.url);
  const why = HEADING.test(release.url ?? '')
    ? 'The changelog has a heading for it and nothing below.'
    : (NO_TEXT[release.sourceType] ?? 'Its source names this version and says nothing about it.');
  return html`<div class="no-text"><h2>This release has no notes</h2><p>${why} ${UNSAID[release.breaking]}</p>${original ? html`<p><a href="${original}" rel="nofollow noopener noreferrer">Look at the original ${icon('external')}</a></p>` : ''}</div>`;
}

// Without a text the verdict comes from the number alone.
const UNSAID: Record<ReleaseDetail['breaking'], string> = {
  major: 'Its number says that it breaks; what breaks is not known.',
  minor: 'Its number says that it may break; what breaks is not known.',
  unknown: 'Whether it breaks anything is not known.',
  none: 'Whether it breaks anything is not known.',
};

// Pictures that the text does not show, and links to videos: no frame of another site is embedded.
export function media(release: ReleaseDetail): Html {
  const pictures = release.media.filter(
    ({ type, url, r2Url }) => type !== 'video' && (r2Url ?? url).startsWith('https:') && !release.content.includes(url),
  );
  const clips = release.media.filter(
    ({ type, url }) => type === 'video' && outsideUrl(url) && !release.content.includes(url),
  );
  if (pictures.length === 0 && clips.length === 0) return '';
  return html`<section class="block" aria-label="Pictures"><div class="stack">${pictures.map(({ url, r2Url, alt }) => html`<img src="${r2Url ?? url}" alt="${alt ?? ''}" loading="lazy" decoding="async" referrerpolicy="no-referrer">`)}${clips.map(({ url, alt }) => html`<p><a href="${url}" rel="nofollow noopener noreferrer">${icon('play')} ${alt || 'Watch the clip'}</a></p>`)}</div></section>`;
}
