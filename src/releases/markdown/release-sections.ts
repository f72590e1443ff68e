// Releases as sections of a document, each with its date and source.
import type { FeedItem } from '../../contract/release.ts';
import { escapedName, textWithCode } from '../../domain/markdown/strangers-text.ts';

interface SectionCut {
  // The number of further releases and the URL of the next ones; null when there are none.
  left: number;
  next: string | null;
}

export function latestSections(items: readonly FeedItem[], { left, next }: SectionCut): string {
  if (items.length === 0) return '';
  const rest = next === null ? '' : `\n${Math.max(1, left)} more. The next ones: <${next}>\n`;
  return `${items.map(section).join('\n')}${rest}`;
}

function section(item: FeedItem): string {
  const title = item.title.trim() || item.version || 'Untitled release';
  const version = item.version && !title.includes(item.version) ? ` ${escapedName(item.version)}` : '';
  const facts = [
    item.publishedAt?.slice(0, 10) ?? 'undated',
    escapedName(item.source.name),
    item.url && `<${item.url}>`,
  ];
  const text = item.content?.trim() || textWithCode(item.summary);
  return `## ${textWithCode(title)}${version}\n\n${facts.filter(Boolean).join(' · ')}\n${text ? `\n${text}\n` : ''}`;
}
