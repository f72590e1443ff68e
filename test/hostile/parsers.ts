// Every function that parses untrusted input: fetched documents, files, texts of requests.
import { changelogChunks } from '../../src/domain/changelog/chunks.ts';
import { parseChangelog } from '../../src/domain/changelog/entries.ts';
import { headingIndex, headingOffsets } from '../../src/domain/changelog/headings.ts';
import { sliceByTokens } from '../../src/domain/changelog/slice.ts';
import { truncateToNewest } from '../../src/domain/changelog/truncate-newest.ts';
import { cleanLongText, foldName } from '../../src/domain/clean-text.ts';
import { parseRelease } from '../../src/domain/code-hosts/github-release.ts';
import { readCascadeBody } from '../../src/domain/coverage/cascades.ts';
import { significantWords } from '../../src/domain/coverage/title-words.ts';
import { decodeFeedCursor, decodeListCursor } from '../../src/domain/cursor.ts';
import { findDate, readDate } from '../../src/domain/dates/index.ts';
import { contentTier } from '../../src/domain/embedding/content-tier.ts';
import { chunkText, releaseText } from '../../src/domain/embedding/document-text.ts';
import { nameQuery, nameRanges } from '../../src/domain/entity-names/entity-names.ts';
import { frontMatter } from '../../src/domain/front-matter.ts';
import { decodeText } from '../../src/domain/html/decode.ts';
import { bodyMedia } from '../../src/domain/html/media.ts';
import { lineText, linksIn } from '../../src/domain/html/text.ts';
import { cutContent, toMarkdown } from '../../src/domain/html/to-markdown.ts';
import { renderMarkdown } from '../../src/domain/markdown-html/render.ts';
import { isChallengePage } from '../../src/domain/net/challenge.ts';
import { isThrottled } from '../../src/domain/net/rate-limit.ts';
import { parseRobots, robotsAllow } from '../../src/domain/net/robots.ts';
import { readTarget } from '../../src/domain/net/target.ts';
import { deriveNotes, plainText, releaseType, sentenceSpans } from '../../src/domain/notes/index.ts';
import { unsupportedClaims } from '../../src/domain/refinement/faithful.ts';
import { compilePattern } from '../../src/domain/safe-pattern.ts';
import { foldText, wordsOf } from '../../src/domain/search-text/analysis.ts';
import { exactTokens, identifiersIn } from '../../src/domain/search-text/exact-tokens.ts';
import { wordGroup } from '../../src/domain/search-text/query-terms.fixture.ts';
import { parseFeedQuery } from '../../src/domain/search-text/query-terms.ts';
import { describeQuery } from '../../src/domain/search-text/search-query.ts';
import { deriveSlug, normalizeDomain } from '../../src/domain/slugs.ts';
import { createMatcher } from '../../src/domain/snippets/matcher.ts';
import { snippetOf } from '../../src/domain/snippets/snippet.ts';
import { statementsOf } from '../../src/domain/summaries/statements.ts';
import { parseBound } from '../../src/domain/time-window.ts';
import { parseBodyTimestamp, parseDateTime } from '../../src/domain/timestamps.ts';
import { countTokens } from '../../src/domain/tokens/index.ts';
import { readBound } from '../../src/domain/upgrade/bounds.ts';
import { readLockfile } from '../../src/domain/upgrade/lockfiles/index.ts';
import { readManifest as readPackageManifest } from '../../src/domain/upgrade/manifests/read-manifest.ts';
import { githubCoordinate, isHttpUrl, normalizeUrl } from '../../src/domain/urls.ts';
import { parseVersion, versionIdentity, versionInProse } from '../../src/domain/versions/index.ts';
import { readAppAddress } from '../../src/ingest/adapters/appstore/identify.ts';
import { parseLookup } from '../../src/ingest/adapters/appstore/parse-lookup.ts';
import { readPageSigns } from '../../src/ingest/adapters/discovery/page-signs.ts';
import { parseArticles } from '../../src/ingest/adapters/discovery/zendesk.ts';
import { articleBody } from '../../src/ingest/adapters/feed/article-body.ts';
import { parseFeed } from '../../src/ingest/adapters/feed-document/parse-feed.ts';
import { nextPage } from '../../src/ingest/adapters/github/api.ts';
import { atomHash } from '../../src/ingest/adapters/github/fetch-github.ts';
import { releaseItem } from '../../src/ingest/adapters/github/parse-releases.ts';
import { pageHash } from '../../src/ingest/adapters/scrape/body-hash.ts';
import { parseMarkdownPage } from '../../src/ingest/adapters/scrape/parse-markdown-page.ts';
import { parsePage } from '../../src/ingest/adapters/scrape/parse-page.ts';
import { readVideoAddress } from '../../src/ingest/adapters/video/address.ts';
import { parseOembed } from '../../src/ingest/adapters/video/oembed.ts';
import { readPackageJson, readRepository } from '../../src/ingest/local-import/package-metadata.ts';
import { readManifest as readDomainManifest } from '../../src/ingest/manifests/fetch-manifest.ts';

export interface Parser {
  name: string;
  read(text: string): unknown;
  // This parser wraps one that gets every kind itself, so one kind in four is enough.
  wrapper?: boolean;
}

const now = new Date('2026-01-15T12:00:00Z');
const names = ['Acme', 'acme-cli'];
const address = 'https://acme.example/changelog';
const dates = { now, relative: true, slot: true };
const bytes = (text: string) => new TextEncoder().encode(text);
const matcher = createMatcher([[{ kind: 'phrase', words: ['a'] }], [{ kind: 'prefix', word: 'foo' }]]);
const pattern = compilePattern('(a|b)*x*x*y');

function inRss(text: string): string {
  const body = text.replaceAll(']]>', ']] >');
  return `<rss version="2.0"><channel><title>a</title><item><title>1.0.0</title><description><![CDATA[<p>${body}]]></description></item></channel></rss>`;
}

function inJsonFeed(text: string): string {
  const item = {
    id: '1',
    title: text.slice(0, 2_000),
    content_html: `<p>${text}`,
    date_published: text.slice(0, 2_000),
  };
  return JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'a', items: [item] });
}

function inYaml(text: string): string {
  return `- version: 1.0.0\n  date: 2024-01-01\n  changes: ${text}`;
}

function notesOf(content: string) {
  const title = content.slice(0, 500);
  const known = { version: '1.2.3', versionNumbers: ['1', '2', '3'], step: 'minor' as const, prerelease: false };
  return deriveNotes({ title, content, ...known, type: 'feature', origin: 'feed', names, displayName: 'Acme' });
}

const LOCKFILES = [
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'poetry.lock',
  'pdm.lock',
  'uv.lock',
  'requirements.txt',
];

export const PARSERS: readonly Parser[] = [
  {
    name: 'markdown to HTML',
    read: (text) =>
      renderMarkdown(text, { base: 'https://github.com/a/b/releases/tag/v1', inRepository: true, isPage: true }),
  },
  { name: 'HTML to markdown', read: (text) => toMarkdown(text, { address }) },
  { name: 'a paragraph to markdown', read: (text) => toMarkdown(`<p>${text}`, { address }) },
  { name: 'media of a body', read: (text) => bodyMedia(text, { address }) },
  { name: 'one line of text', read: lineText },
  { name: 'links', read: linksIn },
  { name: 'cut content', read: (text) => cutContent(text, 10_000) },
  { name: 'character sets', read: (text) => decodeText(bytes(text), { contentType: text.slice(0, 2_000) }) },
  { name: 'notes', read: notesOf },
  { name: 'plain text of notes', read: (text) => plainText(text, 1_000) },
  { name: 'release type', read: (text) => releaseType(text.slice(0, 500), text) },
  { name: 'sentences', read: (text) => sentenceSpans(text, 0, text.length) },
  {
    name: 'statements',
    wrapper: true,
    read: (content) =>
      statementsOf({
        id: 'r',
        title: 'a',
        content,
        version: null,
        breaking: 'unknown',
        importance: null,
        feedAt: '',
        names,
      }),
  },
  { name: 'dependency cascades', read: readCascadeBody },
  { name: 'changelog', read: (text) => parseChangelog(text, { names, now }) },
  {
    name: 'changelog in markdown',
    wrapper: true,
    read: (text) => parseChangelog(text, { names, now, format: 'markdown' }),
  },
  { name: 'changelog in YAML', read: (text) => parseChangelog(`1.0.0:\n  - ${text}`, { names, now }) },
  { name: 'list of records in YAML', wrapper: true, read: (text) => parseChangelog(inYaml(text), { names, now }) },
  { name: 'changelog chunks', read: (text) => changelogChunks(text) },
  { name: 'changelog headings', read: (text) => [headingIndex(text), headingOffsets(text)] },
  { name: 'newest part of a changelog', read: (text) => truncateToNewest(text, 10_000) },
  {
    name: 'slice by tokens',
    wrapper: true,
    read: (text) => sliceByTokens(text, headingOffsets(text), { offset: 0, budget: 1_000 } as never),
  },
  { name: 'tokens', read: countTokens },
  { name: 'feed', read: (text) => parseFeed(text, { url: address, now, names }) },
  {
    name: 'feed in bytes',
    wrapper: true,
    read: (text) => parseFeed(bytes(`<?xml version="1.0"?>${text}`), { url: address, now, names }),
  },
  { name: 'body in RSS', wrapper: true, read: (text) => parseFeed(inRss(text), { url: address, now, names }) },
  {
    name: 'body in a JSON feed',
    wrapper: true,
    read: (text) => parseFeed(inJsonFeed(text), { url: address, now, names }),
  },
  { name: 'feed hash', read: atomHash },
  { name: 'page', read: (text) => parsePage(`<main>${text}</main>`, { address, names, now }) },
  {
    name: 'page of entries',
    wrapper: true,
    read: (text) => parsePage(`<h2>1.0.0</h2><p>a<h2>0.9.0</h2>${text}`, { address, names, now }),
  },
  { name: 'entry page', wrapper: true, read: (text) => parsePage(text, { address, names, now, entryPage: true }) },
  { name: 'markdown page', wrapper: true, read: (text) => parseMarkdownPage(text, { address, names, now }) },
  { name: 'article', read: (text) => articleBody(`<body>${text}`, address) },
  { name: 'page signs', read: (text) => readPageSigns(text, address) },
  { name: 'page hash', read: pageHash },
  { name: 'challenge page', read: (text) => isChallengePage({ headers: { 'content-type': 'text/html' }, text }) },
  { name: 'rate limit', read: (text) => isThrottled({ status: 403, headers: { 'retry-after': text }, text }, now) },
  {
    name: 'robots',
    read: (text) => robotsAllow(parseRobots(`User-agent: *\n${text}`), `${address}/${text.slice(0, 2_000)}`),
  },
  {
    name: 'articles of a help centre',
    wrapper: true,
    read: (text) =>
      parseArticles(JSON.stringify({ articles: [{ id: 1, title: 'a', body: `<p>${text}`, html_url: address }] }), {
        now,
        names,
      }),
  },
  {
    name: 'app store',
    read: (text) =>
      parseLookup(
        { results: [{ trackName: text || 'a', version: text || '1', releaseNotes: text, trackViewUrl: text }] },
        { id: '1', platform: 'ios', storefront: 'us' },
      ),
  },
  { name: 'video facts', read: parseOembed },
  { name: 'release of a code host', wrapper: true, read: (text) => releaseOf(text) },
  { name: 'link header', read: (text) => nextPage(text, address) },
  { name: 'domain manifest', read: (text) => readDomainManifest(bytes(text)) },
  { name: 'package.json', read: readPackageJson },
  { name: 'repository field', read: (text) => readRepository(text) },
  ...['package.json', 'Cargo.toml', 'pyproject.toml', 'go.mod', 'composer.json', 'pom.xml', 'setup.cfg'].map(
    (file) => ({
      name: `${file} of a repository`,
      read: (text: string) => readPackageManifest(file, text),
    }),
  ),
  { name: 'versions', read: (text) => [parseVersion(text), versionIdentity(text)] },
  { name: 'version in prose', read: (text) => versionInProse(text, names) },
  { name: 'version bounds', read: readBound },
  { name: 'date', read: (text) => readDate(text, dates) },
  { name: 'date in text', read: (text) => findDate(text, dates) },
  {
    name: 'timestamps',
    read: (text) => [parseBodyTimestamp(text), parseDateTime(text), parseBound(text, 'from' as never, now)],
  },
  { name: 'addresses', read: (text) => [isHttpUrl(text), normalizeUrl(text), normalizeUrl(`https://a.b/${text}`)] },
  { name: 'hosts', read: (text) => [normalizeDomain(text), readTarget(text), readTarget(`https://${text}`)] },
  { name: 'repository coordinate', read: githubCoordinate },
  { name: 'app address', read: (text) => [readAppAddress(text), readVideoAddress(`https://youtube.com/${text}`)] },
  { name: 'search query', read: (text) => [describeQuery(text), parseFeedQuery(text), wordGroup(text, true)] },
  { name: 'name query', read: (text) => nameRanges(nameQuery(text)) },
  { name: 'search words', read: (text) => wordsOf(foldText(text)) },
  { name: 'identifiers', read: (text) => [identifiersIn(foldText(text)), exactTokens('a', null, foldText(text))] },
  { name: 'snippet', read: (text) => snippetOf([text], matcher) },
  { name: 'title words', read: (text) => significantWords(text, { names, versions: ['1.0.0'] }) },
  {
    name: 'embedded text',
    wrapper: true,
    read: (text) => [
      contentTier(text),
      releaseText({ title: 'a', version: null, summary: '', content: text } as never),
      chunkText({ headings: ['a'], content: text }),
    ],
  },
  // As much is claimed of a short text as of a long one, else the two grow together.
  { name: 'claims', read: (text) => unsupportedClaims(text.slice(0, 500), [text]) },
  { name: 'front matter', read: (text) => frontMatter({ title: text, list: [text] }) },
  { name: 'slug', read: (text) => [deriveSlug(text), foldName(text), cleanLongText(text)] },
  { name: 'cursors', read: (text) => [decodeFeedCursor(text), decodeListCursor(text)] },
  { name: 'pattern', read: (text) => [compilePattern(text.slice(0, 200)), pattern.ok && pattern.pattern.test(text)] },
  ...LOCKFILES.map((filename) => ({ name: filename, read: (text: string) => readLockfile({ filename, text }) })),
];
function releaseOf(body: string) {
  const found = parseRelease({
    id: 1,
    tag_name: 'v1.0.0',
    name: body.slice(0, 500),
    body,
    html_url: address,
    draft: false,
    prerelease: false,
    published_at: '2024-01-01T00:00:00Z',
    assets: [],
  });
  return found && releaseItem(found);
}
