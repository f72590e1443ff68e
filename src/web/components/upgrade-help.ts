// What a reader can do when the registry cannot answer a question about an upgrade.
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { ECOSYSTEM_WORDS, isEcosystem, SCOPED_ECOSYSTEM } from '../../domain/ecosystems/index.ts';
import { type Html, html } from './html.ts';

export function askAgain(answer: WhatsChanged, changes: Record<string, string | null>): string {
  const query = new URLSearchParams({ package: answer.package, from: answer.from, to: answer.to });
  if (answer.ecosystem) query.set('ecosystem', answer.ecosystem);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return `/whats-changed?${query}`;
}

export function upgradeHelp(answer: WhatsChanged): Html {
  if (answer.candidates && answer.candidates.length > 0) return choices(answer, answer.candidates);
  if (answer.packages && answer.packages.length > 0) return packages(answer, answer.packages);
  if (answer.status === 'resolved') return '';
  const near = answer.suggestions ?? [];
  const repository = answer.reasonDetail === 'ecosystem_required' && /^[\w.-]+\/[\w.-]+$/.test(answer.package);
  const rows = [
    ...(repository
      ? [
          html`<li><a href="${askAgain(answer, { ecosystem: 'github' })}">${answer.package} on GitHub</a></li>`,
          html`<li><a href="${askAgain(answer, { ecosystem: SCOPED_ECOSYSTEM })}">${answer.package} on ${ECOSYSTEM_WORDS[SCOPED_ECOSYSTEM]}</a></li>`,
        ]
      : near.map(
          (name) => html`<li><a href="${askAgain(answer, { package: name, ecosystem: null })}">${name}</a></li>`,
        )),
  ];
  return rows.length > 0 ? html`<div><h3>Did you mean</h3><ul class="mini">${rows}</ul></div>` : '';
}

// The notes of a package may be here under another name, such as that of its project.
export function searchInstead({ package: name, ecosystem, reason }: WhatsChanged): Html {
  if (reason !== 'not_tracked' || !isEcosystem(ecosystem)) return '';
  return html`<div class="todo plain"><h3>Look for it</h3><p class="small">Its notes may be here under another name.</p><p class="sp-top"><a class="btn" href="/search?${new URLSearchParams({ q: name })}">Search for ${name}</a></p></div>`;
}

function choices(answer: WhatsChanged, candidates: NonNullable<WhatsChanged['candidates']>): Html {
  return html`<ul class="mini">${candidates.map(({ id, orgSlug, sourceSlug }) => html`<li><a href="${askAgain(answer, { package: id, ecosystem: null })}">${orgSlug ? `${orgSlug}/` : ''}${sourceSlug}</a></li>`)}</ul>`;
}

function packages(answer: WhatsChanged, names: readonly string[]): Html {
  const of = (name: string, version: string) => (version === 'latest' ? version : `${name}@${version}`);
  return html`<ul class="mini">${names.map((name) => html`<li><a class="mono" href="${askAgain(answer, { from: of(name, answer.from), to: of(name, answer.to) })}">${name}</a></li>`)}</ul>`;
}
