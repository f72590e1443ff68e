// Untrusted text stays text in every component that shows it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Parser } from 'htmlparser2';
import type { FeedItem } from '../../contract/release.ts';
import { jsonLdBlock } from '../frame/document.ts';
import { citedText } from './cited-text.ts';
import { avatar } from './icon.ts';
import { inlineCode } from './prose.ts';
import { releaseRow } from './release-list.ts';
import { highlight } from './search-results.ts';
import { weeklyBars } from './weekly-bars.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  'javascript:alert(1)',
  '</script><script>alert(1)</script>',
  '`<b onclick=alert(1)>`',
  '\u2028<iframe src=//evil.example>',
];

// The names of all elements, and of all attributes that could run script.
function activeParts(markup: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'script' || name === 'iframe' || (name === 'b' && 'onclick' in attributes)) found.push(name);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (attribute.startsWith('on') || /^\s*javascript:/i.test(value)) found.push(`${attribute}=${value}`);
      }
    },
  });
  parser.end(markup);
  return found;
}

function releaseWith(text: string): FeedItem {
  return {
    id: 'rel_x',
    title: text,
    titleShort: text,
    titleGenerated: text,
    version: text,
    summary: text,
    url: text,
    webUrl: 'https://registry.example/release/rel_x',
    publishedAt: '2026-11-13T11:40:59.000Z',
    breaking: 'major',
    prerelease: true,
    type: 'feature',
    coverageCount: 2,
    source: {
      id: 'src_x',
      slug: text,
      name: text,
      type: 'github',
      kind: null,
      orgSlug: text,
      orgName: text,
      orgAvatarUrl: text,
      orgGithubHandle: null,
    },
    org: { id: 'org_x', slug: text, name: text },
    product: { id: 'prod_x', slug: text, name: text, kind: null },
  } as unknown as FeedItem;
}

describe('hostile text', () => {
  for (const text of HOSTILE) {
    it(`stays inert: ${JSON.stringify(text)}`, () => {
      const markup = [
        releaseRow(releaseWith(text), { now: 0, lead: 'avatar' }),
        releaseRow(releaseWith(text), { now: 0, lead: 'source' }),
        avatar(text, text, 'l'),
        highlight(text, [[0, 3]]),
        inlineCode(text),
        citedText({
          content: text,
          citations: [
            {
              sourceUrl: text,
              title: text,
              releaseId: null,
              releaseWebUrl: null,
              startIndex: 0,
              endIndex: 4,
              citedText: text,
            },
          ],
        }),
        weeklyBars(
          { weeks: [{ weekStart: '2026-11-09', count: 1, latestVersion: text }] },
          {
            from: '2026-11-09',
            to: '2026-11-15',
          },
        ),
      ].join('');
      assert.deepEqual(activeParts(markup), []);
    });

    it(`cannot end a data block: ${JSON.stringify(text)}`, () => {
      const block = String(jsonLdBlock({ '@type': 'TechArticle', headline: text }));
      assert.equal(block.match(/<\/script/gi)?.length, 1);
      const json = block.replace(/^<script[^>]*>/, '').replace(/<\/script>\s*$/, '');
      assert.equal((JSON.parse(json) as { headline: string }).headline, text);
    });
  }
});
