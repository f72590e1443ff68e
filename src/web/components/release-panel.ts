// The panel beside a release: what is in it, a check up to its version, and where it comes from.
import type { ReleaseDetail } from '../../contract/release.ts';
import { ECOSYSTEM_WORDS } from '../../domain/ecosystems/index.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import type { Shell } from '../frame/shell.ts';
import { packagePath, productPath, sourcePath } from '../links.ts';
import { formatCount, type Html, html, join, plural } from './html.ts';
import { sourceTypeMark, splitPackage } from './marks.ts';
import { asData } from './org-frame.ts';
import { facts } from './parts.ts';
import { ago, duration, longDate, timeMark } from './time.ts';

export function releasePanel(release: ReleaseDetail, packages: readonly PackageName[], shell: Shell): Html {
  const { org, product, source } = release;
  const subject =
    product && org
      ? { label: 'Product', name: product.name, path: productPath(org.slug, product.slug) }
      : { label: 'Source', name: source.name, path: sourcePath(source.orgSlug, source.slug) };
  return html`<aside class="panel" aria-label="About this release">
${composition(release)}${checkUpgrade(release, packages)}
<section><h2>About</h2>${facts([
    [subject.label, html`<a href="${subject.path}">${subject.name}</a>`],
    packages.length > 0 ? [packages.length === 1 ? 'Package' : 'Packages', packageLinks(packages)] : null,
    ['Read from', html`<span>${sourceTypeMark(source.type)}</span>`],
    release.publishedAt ? null : ['Published', 'no date given'],
    ['Came in', cameIn(release)],
    release.revisionCount > 0
      ? ['Edited', html`${plural(release.revisionCount, 'time')}, last ${ago(release.updatedAt, shell.now)}`]
      : null,
    release.content.trim() === '' ? null : ['Reading time', readingTime(release.contentTokens)],
  ])}</section>
${asData(`/release/${release.id}`, ['md', 'json'])}
</aside>`;
}

function packageLinks(packages: readonly PackageName[]): Html {
  const links = packages.map(
    ({ ecosystem, name }) =>
      html`<a href="${packagePath(ecosystem, name)}">${name} on ${ECOSYSTEM_WORDS[ecosystem]}</a>`,
  );
  return html`${join(links, html`, `)}`;
}

const DAY = 86_400_000;
const MONTH = 30 * DAY;
const TOKENS_A_MINUTE = 300;

// How long after its publication a release came in; a later import shows its date.
function cameIn({ publishedAt, fetchedAt }: ReleaseDetail): Html {
  const delay = publishedAt ? Date.parse(fetchedAt) - Date.parse(publishedAt) : -1;
  const words = delay >= 0 && delay < MONTH && publishedAt ? `${duration(delay)} after` : longDate(fetchedAt);
  return timeMark(fetchedAt, words);
}

function readingTime(tokens: number): string {
  const minutes = Math.round(tokens / TOKENS_A_MINUTE);
  return minutes < 1 ? 'under a minute' : `${formatCount(minutes)} min`;
}

function composition({ composition: parts }: ReleaseDetail): Html {
  if (!parts || parts.features + parts.enhancements + parts.bugs === 0) return '';
  const rows = [
    { style: 'c-feat', count: parts.features, word: 'added' },
    { style: 'c-enh', count: parts.enhancements, word: 'changed' },
    { style: 'c-bug', count: parts.bugs, word: 'fixed' },
  ].filter(({ count }) => count > 0);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  let x = 0;
  const bars = rows.map(({ style, count }) => {
    const width = (count / total) * 210;
    const bar = html`<rect class="${style}" x="${x.toFixed(1)}" y="0" width="${Math.max(1, width - 1.5).toFixed(1)}" height="8"/>`;
    x += width;
    return bar;
  });
  const words = rows.map(({ count, word }) => `${count} ${word}`).join(', ');
  return html`<section><h2>What is in it</h2><svg class="comp-bar" viewBox="0 0 210 8" preserveAspectRatio="none" role="img" aria-label="${words}">${bars}</svg><p class="legend">${rows.map(({ style, count, word }) => html`<span><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="${style}" width="10" height="10" rx="1.5"/></svg>${count} ${word}</span>`)}</p></section>`;
}

// A package is asked for by its own name and number, a source by its slug.
function checkUpgrade(release: ReleaseDetail, packages: readonly PackageName[]): Html {
  const { version } = splitPackage(release.version);
  if (!version || !release.version) return '';
  const { source } = release;
  const [own, other] = packages;
  const asked =
    own && !other
      ? { package: own.name, ecosystem: own.ecosystem, to: version }
      : { package: source.slug, ...(source.orgSlug && { org: source.orgSlug }), to: release.version };
  return html`<section><h2>Check your update</h2><form action="/whats-changed" method="get" class="stack" data-form="whats-changed">${Object.entries(asked).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<div class="field"><label for="rf">You have</label><input class="input mono" id="rf" name="from" required></div><button class="btn wide" type="submit">What changed up to ${version}</button></form></section>`;
}
