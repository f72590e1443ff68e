// A package and its versions as text, for people and for language models.

import type { PackageDetail } from '../../contract/package.ts';
import { frontMatter } from '../../domain/front-matter.ts';
import { escapedName, textWithCode } from '../../domain/markdown/strangers-text.ts';
import { verdictWord } from '../../domain/upgrade/verdict-words.ts';
import type { VersionOfPackage } from './versions.ts';

interface MarkdownInput {
  detail: PackageDetail;
  // All of them, highest first.
  versions: readonly VersionOfPackage[];
  most: number;
  url: string;
}

export function packageMarkdown({ detail, versions, most, url }: MarkdownInput): string {
  const { ecosystem, name, latest, source, outcome, checkedAt } = detail;
  const front = frontMatter({
    package: name,
    ecosystem,
    latest,
    published: detail.versions.published,
    noted: detail.versions.noted,
    withdrawn: detail.versions.withdrawn,
    source: source && [source.orgSlug, source.sourceSlug].filter(Boolean).join('/'),
    outcome,
    checked: checkedAt,
    url,
  });
  const left = versions.length - most;
  const lines = versions.slice(0, most).map(versionLine);
  const more =
    left > 0 ? [`\n${left} older versions: GET /v1/packages/${ecosystem}/${encodeURIComponent(name)}/versions`] : [];
  const deprecated = detail.deprecated === null ? [] : [`Deprecated: ${textWithCode(detail.deprecated)}\n`];
  const list = lines.length > 0 ? lines.join('\n') : 'No version is known.';
  return [front, ...deprecated, '## Versions\n', `${list}`, ...more, ''].join('\n');
}

function versionLine(one: VersionOfPackage): string {
  const facts = [
    one.publishedAt?.slice(0, 10),
    one.noted ? verdictWord(one.breaking ?? 'unknown') : 'no notes',
    one.withdrawn ? 'withdrawn' : null,
    one.deprecated === null ? null : 'deprecated',
    one.releaseId,
  ];
  const title = one.title && one.noted ? `: ${textWithCode(one.title)}` : '';
  return `- ${escapedName(one.version)} (${facts.filter(Boolean).join(', ')})${title}`;
}
