// The panel beside a package: where versions and notes come from, how to install it, its badge, and its data.

import { ECOSYSTEM_WORDS, factsOfEcosystem } from '../../domain/ecosystems/index.ts';
import type { KnownPackage } from '../../packages/details/known-package.ts';
import type { Shell } from '../frame/shell.ts';
import { outsideUrl, packagePath, sourcePath } from '../links.ts';
import { formatCount, type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';
import { sourceTypeMark } from './marks.ts';
import type { PackageView } from './package-view.ts';
import { command, facts } from './parts.ts';
import { ago } from './time.ts';

export function packagePanel(view: PackageView, shell: Shell, path: string): Html {
  const { known, detail, elsewhere } = view;
  const { ecosystem, name } = known;
  const api = `/v1/packages/${ecosystem}/${encodeURIComponent(name)}`;
  const install = installLine(view);
  const badge = `![${known.spelling}](${shell.webUrl}${path}/badge.svg)`;
  return html`<aside class="panel" aria-label="About this package">
${needs(view)}<section><h2>Where this comes from</h2>${facts([
    ['Versions', readingWords(known, shell)],
    ['Notes', notesWords(known)],
    ['Repository', outside(known.state?.repository)],
    ['Homepage', outside(known.state?.homepage)],
  ])}${elsewhere ? html`<p class="small sp-top muted">Same name elsewhere: <a href="${packagePath(elsewhere.ecosystem, elsewhere.name)}">${elsewhere.name} on ${ECOSYSTEM_WORDS[elsewhere.ecosystem]}</a></p>` : ''}</section>
${install ? html`<section><h2>Install</h2>${command(install, 'the install command')}</section>` : ''}
${detail.latest ? html`<section><h2>Badge for a README</h2><div class="badges-row"><img src="${path}/badge.svg" alt="${known.spelling} ${detail.latest}" height="20">${command(badge, 'the badge')}</div></section>` : ''}
<section><h2>As data</h2><ul class="linklist"><li><a href="${path}.json">JSON</a></li><li><a href="${api}/versions">Versions, JSON</a></li><li><a href="${path}.md">Markdown</a></li><li><a href="${path}.atom?breaking=major,minor">${icon('feed')}Atom, breaking only</a></li></ul></section></aside>`;
}

function needs({ detail: { manifest, ecosystem } }: PackageView): Html {
  if (!manifest) return '';
  const { needs: floor, module, hasTypes, unpackedBytes, fileCount, dependencies, peers, license } = manifest;
  const size =
    unpackedBytes === null
      ? ''
      : `${sizeWords(unpackedBytes)} unpacked${fileCount === null ? '' : `, ${plural(fileCount, 'file')}`}`;
  return html`<section><h2>What it needs</h2>${facts([
    [RUNTIMES[factsOfEcosystem(ecosystem).language], floor ?? 'not told'],
    module === null ? null : ['Module form', module],
    hasTypes === null ? null : ['Types', hasTypes ? 'its own' : 'none named'],
    dependencies === null ? null : ['Dependencies', dependencies === 0 ? 'none' : formatCount(dependencies)],
    peers.length === 0 ? null : ['Peers', peers.join(', ')],
    ['Size', size],
    ['Licence', license ?? ''],
  ])}</section>`;
}

const RUNTIMES = { javascript: 'Node', python: 'Python' } as const;

function sizeWords(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function readingWords({ ecosystem, state }: KnownPackage, shell: Shell): Html | string {
  const where = ECOSYSTEM_WORDS[ecosystem];
  if (state?.listed_at == null) return `${where} has not been read yet`;
  const failing = state.failing_since ? html`; reading it fails, tried ${ago(state.checked_at, shell.now)}` : '';
  return html`${where}, read ${ago(state.listed_at, shell.now)}${failing}`;
}

function notesWords({ notes }: KnownPackage): Html | string {
  if (notes === null) return 'not tracked here';
  const { source } = notes;
  return html`<a href="${sourcePath(source.orgSlug, source.slug)}">${source.name}</a> ${sourceTypeMark(source.type)}`;
}

function outside(url: string | null | undefined): Html | string {
  const address = outsideUrl(url);
  if (!address) return '';
  const words = address.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return html`<a href="${address}" rel="nofollow noopener noreferrer">${words}</a>`;
}

// Only plain names and versions are put into a command that a reader may run.
const PLAIN = /^[@a-z0-9][a-z0-9._/+!-]*$/i;

function installLine({ known, detail }: PackageView): string | null {
  const { ecosystem, spelling } = known;
  if (detail.latest === null || !PLAIN.test(spelling) || !PLAIN.test(detail.latest)) return null;
  return factsOfEcosystem(ecosystem).installCommand(spelling, detail.latest);
}
