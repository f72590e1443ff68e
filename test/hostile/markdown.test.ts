// Names and texts of strangers in the markdown that we write, as two renderers show it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { load } from 'cheerio';
import { parse } from 'marked';
import type { ProjectReport } from '../../src/check/report.ts';
import { sarifOf } from '../../src/cli/client/check/sarif.ts';
import type { FeedItem } from '../../src/contract/release.ts';
import { frontMatter } from '../../src/domain/front-matter.ts';
import { codeSpan, escapedName, escapedText, textWithCode } from '../../src/domain/markdown/strangers-text.ts';
import { renderMarkdown } from '../../src/domain/markdown-html/render.ts';
import { reportMarkdown } from '../../src/domain/upgrade/report/markdown.ts';
import { reportRow } from '../../src/domain/upgrade/report/row.fixture.ts';
import { inline } from '../../src/mcp/quoting.ts';
import { releaseBlocks } from '../../src/releases/markdown/release.ts';
import { latestSections } from '../../src/releases/markdown/release-sections.ts';
import { STRANGE_NAMES } from './strange-names.ts';

// As a comment on a repository is shown, where references are links, and by a renderer of others.
const RENDERERS: Readonly<Record<string, (markdown: string) => string>> = {
  ours: (markdown) =>
    renderMarkdown(markdown, { base: 'https://github.com/acme/lamp/releases/tag/v1', inRepository: true }).html,
  another: (markdown) => parse(markdown, { gfm: true, async: false }),
};

// What a code host makes of plain text: mentions, references, addresses, commits, pictures by name.
const EFFECTS =
  /@[\w-]|#\d|\bGH-\d|:\/\/|\bwww\.|:[\w+-]+:|(?<![\p{L}\p{N}])(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}(?![\p{L}\p{N}])/iu;
const LOUD = 'img, a, script, input, iframe, video, audio, hr, blockquote, em, del, i, math';

// What takes effect in a text, in words; empty where it is quiet.
function effectsIn(markdown: string, render: (markdown: string) => string, headings = 0): string[] {
  const page = load(render(markdown), null, false);
  const found = [...page(LOUD).toArray(), ...page('h1, h2, h3, h4, h5, h6').toArray().slice(headings)].map((element) =>
    page.html(element),
  );
  page('code').remove();
  const effect = EFFECTS.exec(page.root().text());
  return effect
    ? [
        ...found,
        page
          .root()
          .text()
          .slice(effect.index - 20),
      ]
    : found;
}

type Told = { message: { text: string } };
interface CodeScanning {
  results: Told[];
  invocations: { toolExecutionNotifications: Told[] }[];
}

const item = (name: string) =>
  ({
    id: 'rel_1',
    version: name,
    title: name,
    summary: name,
    breaking: 'none',
    url: null,
    publishedAt: null,
    org: null,
    source: { slug: 'cli', name },
  }) as unknown as FeedItem;

const row = (name: string) =>
  reportRow(name, {
    from: name,
    to: name,
    judgement: 'breaks',
    verdict: 'major',
    direct: true,
    reason: `The command \`${name}\` is gone: ${name}`,
    steps: [{ text: name, versions: [name], from: 'notes' }],
    use: { use: 'used', places: [{ file: name, line: 1 }], count: 1 },
  });

const advised = (name: string) => ({
  name: 'lamp',
  version: '1.0.0',
  problems: [{ id: 'INV-1', aliases: [], summary: null }],
  smallest: null,
  unlisted: name,
});

const WRITTEN: Readonly<Record<string, (name: string) => string>> = {
  'a text': (name) => `x ${escapedText(name)}\n\n${escapedText(name)}`,
  'a text with code': (name) =>
    `x ${textWithCode(name)}\n\n${textWithCode(name)}\n\n${textWithCode(`a \`${name}\` b`)}`,
  'code beside code': (name) => `${codeSpan(name)} ${codeSpan('x')} ${codeSpan(name)}`,
  'code in a table': (name) => `| a | b |\n|---|---|\n| ${codeSpan(name)} | ${textWithCode(name)} |`,
  'a name': (name) => `- ${escapedName(name)} ${escapedName(name)}`,
  'a name for agents': (name) => `- ${inline(name)} ${inline(name)}`,
};

describe(`${STRANGE_NAMES.length} names of strangers`, () => {
  it('are many', () => assert.equal(new Set(STRANGE_NAMES).size, 200));

  for (const [renderer, render] of Object.entries(RENDERERS)) {
    for (const [title, write] of Object.entries(WRITTEN)) {
      it(`${title}, by ${renderer}`, () => {
        for (const name of STRANGE_NAMES) assert.deepEqual(effectsIn(write(name), render), [], name);
      });
    }

    it(`the comment of a pull request, by ${renderer}`, () => {
      for (const name of STRANGE_NAMES) {
        const rows = [row(name), reportRow(name, { ignored: { reason: name, until: null } })];
        const text = reportMarkdown(rows, {
          notices: [name],
          remarks: [name],
          placeUrl: ({ file }) => `//host.example/${encodeURIComponent(file)}`,
          pageUrl: (one) => `//host.example/${encodeURIComponent(one.package)}`,
        });
        const page = load(render(text), null, false);
        const links = page('a')
          .toArray()
          .map((link) => page(link).attr('href') ?? '');
        assert.ok(
          links.every((href) => /^(?:https:)?\/\/host\.example\//.test(href)),
          `${name}: ${links}`,
        );
        page('a').remove();
        // Who tells a step stands in italics.
        page('em').each((_, element) => void page(element).replaceWith(page(element).html() ?? ''));
        assert.deepEqual(
          effectsIn(page.html(), (html) => html, 1),
          [],
          name,
        );
        assert.equal(page('tr').length, 2, name);
        assert.equal(page('details').length, 2, name);
      }
    });

    it(`titles and summaries of releases, by ${renderer}`, () => {
      for (const name of STRANGE_NAMES) {
        const block = releaseBlocks([item(`t ${name}`)]).replaceAll(/^<\/?Release.*$/gm, '');
        assert.deepEqual(effectsIn(block, render, 1), [], name);
        assert.deepEqual(effectsIn(latestSections([item(name)], { left: 0, next: null }), render, 1), [], name);
      }
    });

    it(`facts before a document, by ${renderer}`, () => {
      for (const name of STRANGE_NAMES) {
        const page = load(render(frontMatter({ title: `t ${name}`, list: [name] })), null, false);
        // An address that stands there as it is may be followed; a text that hides one may not.
        const hidden = page('a[href*=evil]').filter((_, link) => !page(link).text().includes('evil'));
        assert.equal(page('img, script, b, details').length + hidden.length, 0, `${name}\n${page.html()}`);
      }
    });

    it(`messages of code scanning, by ${renderer}`, () => {
      const report = {
        rows: STRANGE_NAMES.map(row),
        lockfile: 'package-lock.json',
        leftOut: STRANGE_NAMES,
        advisories: { packages: STRANGE_NAMES.map(advised) },
        incomplete: [],
        notLookedAt: { dev: 0, optional: 0, indirect: 0 },
      } as unknown as ProjectReport;
      const { runs } = sarifOf(report, '1.0.0') as unknown as { runs: CodeScanning[] };
      const messages = runs.flatMap(({ results, invocations }) =>
        [...results, ...invocations.flatMap((one) => one.toolExecutionNotifications)].map(
          ({ message }) => message.text,
        ),
      );
      assert.equal(messages.length, 601);
      for (const text of messages) assert.deepEqual(effectsIn(text, render), [], text);
    });
  }

  it('keep what they are', () => {
    for (const name of STRANGE_NAMES.filter((one) => !/[\n\u200b]/.test(one))) {
      for (const write of [escapedText, escapedName]) {
        const page = load(parse(`x ${write(name)}`, { gfm: true, async: false }), null, false);
        assert.equal(page.root().text().trim().replaceAll('\u2060', ''), `x ${name}`);
      }
    }
  });
});
