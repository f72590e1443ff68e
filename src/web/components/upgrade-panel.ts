// Where the answer on an upgrade comes from, and how to get it elsewhere.
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { ECOSYSTEM_WORDS } from '../../domain/ecosystems/index.ts';
import { outsideUrl, sourcePath } from '../links.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { versionMark } from './marks.ts';
import { command, facts } from './parts.ts';
import { ago } from './time.ts';
import { askAgain } from './upgrade-help.ts';
import { bareVersion } from './verdict.ts';

const RULES: Record<NonNullable<WhatsChanged['matchedBy']>, string> = {
  id: 'its id',
  package_map: 'its package name',
  slug: 'its name in this registry',
  coordinate: 'its repository',
};

export function upgradePanel(answer: WhatsChanged, now: number): Html {
  return html`<aside class="panel" aria-label="About this answer">${answerOrigin(answer, now)}${otherMatches(answer)}${elsewhere(answer)}${followSource(answer)}</aside>`;
}

export function answerOrigin({ source, history, matchedBy }: WhatsChanged, now: number): Html {
  if (!source) return '';
  const address = outsideUrl(source.url);
  return html`<section><h2>Where this comes from</h2>${facts([
    ['Source', html`<a href="${sourcePath(source.orgSlug, source.sourceSlug)}">${source.name}</a>`],
    [
      'Notes',
      address
        ? html`<a href="${address}" rel="nofollow noopener noreferrer">${address.replace(/^https?:\/\/(?:www\.)?/, '')}</a>`
        : '',
    ],
    ['Found by', matchedBy ? RULES[matchedBy] : ''],
    ['Newest note', source.latestVersion ? versionMark(bareVersion(source.latestVersion)) : ''],
    ['Notes read', history?.checkedAt ? ago(history.checkedAt, now) : ''],
  ])}</section>`;
}

// Packages of the same name that belong to another source.
export function otherMatches(answer: WhatsChanged): Html {
  const list = answer.alsoMatches ?? [];
  if (list.length === 0) return '';
  return html`<section><h2>Not the one you mean?</h2><ul class="mini">${list.map((other) => html`<li><a href="${askAgain(answer, { package: other.package, ecosystem: other.ecosystem })}">${other.package} on ${ECOSYSTEM_WORDS[other.ecosystem]}</a><span class="sub">read from ${other.orgSlug ? `${other.orgSlug}/` : ''}${other.sourceSlug}</span></li>`)}</ul></section>`;
}

function elsewhere(answer: WhatsChanged): Html {
  const ecosystem = answer.ecosystem ? ` --ecosystem ${answer.ecosystem}` : '';
  const query = new URLSearchParams({ package: answer.package, from: answer.from, to: answer.to });
  if (answer.ecosystem) query.set('ecosystem', answer.ecosystem);
  return html`<section><h2>In a terminal</h2>${command(`registry whats-changed ${answer.package} ${answer.from} ${answer.to}${ecosystem}`, 'The same question in a terminal')}</section>
<section><h2>As data</h2><p class="cluster"><a href="/v1/whats-changed?${query}">JSON</a></p></section>`;
}

export function followSource({ source }: WhatsChanged): Html {
  if (!source) return '';
  const path = sourcePath(source.orgSlug, source.sourceSlug);
  return html`<section><h2>Keep up with it</h2><p class="cluster"><a class="btn small" href="${path}.atom">${icon('feed')}Feed</a><a class="btn small" href="${path}">All releases</a></p></section>`;
}
