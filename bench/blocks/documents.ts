// Documents of strangers for every kind of source, up to a size: long ones of the ordinary sort, and ones that are made to cost.
import type { SourceType } from '../../src/domain/source-types.ts';

export interface SourceDocument {
  name: string;
  type: SourceType;
  // The address of the source; `key` separates sources, and the sizes of one.
  address(outside: string, key: number): string;
  pages(size: number, key: number): ServedPage[];
}

interface ServedPage {
  path: string;
  type: string;
  body: string | Uint8Array;
  // The path of the page after this one.
  next?: string;
}

const PROSE = 'Fixed a bug in the cache of the server, thanks to everybody who told us. ';

function filled(size: number, head: string, unit: string, tail: string): string {
  return head + unit.repeat(Math.max(1, Math.floor((size - head.length - tail.length) / unit.length))) + tail;
}

const RSS = '<rss version="2.0"><channel><title>Acme</title>';
const RSS_END = '</channel></rss>';
const ENTRY = '<item><title>1.0</title><guid>1</guid><description><![CDATA[';
const ENTRY_END = ']]></description></item>';
const JSON_FEED = '{"version":"https://jsonfeed.org/version/1.1","title":"Acme",';
const PAGE = '<!doctype html><html><head><title>Changelog</title></head><body><main>';

const FEEDS: Record<string, (size: number) => string | Uint8Array> = {
  'short entries': (size) => filled(size, RSS, '<item><title>a</title></item>', RSS_END),
  'long entries': (size) => {
    const entry = (at: number) =>
      `<item><title>1.${at}</title><guid>${at}</guid><pubDate>Tue, 10 Mar 2020 10:00:00 GMT</pubDate><description><![CDATA[${filled(size / 500, '<p>', PROSE, '</p>')}]]></description></item>`;
    return RSS + Array.from({ length: 480 }, (_, at) => entry(at)).join('') + RSS_END;
  },
  'links in one entry': (size) => filled(size, RSS + ENTRY, '<a href="b">a</a> ', ENTRY_END + RSS_END),
  'pictures in one entry': (size) => filled(size, RSS + ENTRY, '<img src="/a.png">', ENTRY_END + RSS_END),
  'categories of one entry': (size) =>
    filled(size, `${RSS}<item><title>1.0</title>`, '<category>a</category>', `</item>${RSS_END}`),
  'nested in one entry': (size) => filled(size, RSS + ENTRY, '<div><h2>a', ENTRY_END + RSS_END),
  'no UTF-8': (size) => Buffer.from(filled(size, RSS + ENTRY, 'é', ENTRY_END + RSS_END), 'latin1'),
  'not closed': (size) => filled(size, RSS, '<item><title>a', ''),
  'JSON of empty lists': (size) => filled(size, `${JSON_FEED}"items":[{"id":"1","title":"1.0"}],"x":[`, '[],', '[]]}'),
  'JSON of short items': (size) => filled(size, `${JSON_FEED}"items":[`, '{"id":"1","title":"a"},', '{}]}'),
  'JSON cut off': (size) => filled(size, `${JSON_FEED}"items":[`, '{"id":"1","title":"a"},', '{"'),
};

const PAGES: Record<string, (size: number) => string> = {
  headings: (size) => filled(size, PAGE, '<h2>1.2.3 - 2024-01-01</h2><p>a</p>', '</main></body></html>'),
  nested: (size) => filled(size, PAGE, '<div><h2>a', ''),
  'links to pages': (size) => filled(size, PAGE, '<p><a href="/1">1.2.3</a> 2024-01-01</p>', '</main></body></html>'),
  'empty tags, 1 MB': (size) => filled(Math.min(size, 1_000_000), PAGE, '<b>', ''),
  'open brackets, 1 MB': (size) => filled(Math.min(size, 1_000_000), PAGE, '<!-->', ''),
};

const MARKDOWN: Record<string, (size: number) => string> = {
  'markdown headings': (size) => filled(size, '# Changelog\n', '## 1.2.3\n', ''),
  'markdown prose': (size) => filled(size, '# Changelog\n\n## 1.2.3\n\n', `- ${PROSE}\n`, ''),
};

const VIDEO =
  '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>Acme</title>';

const VIDEOS: Record<string, (size: number) => string> = {
  'short entries': (size) =>
    filled(size, VIDEO, '<entry><title>a</title><link href="https://youtube.com/watch?v=a"/></entry>', '</feed>'),
  'a long description': (size) =>
    filled(
      size,
      `${VIDEO}<entry><title>a</title><link href="https://youtube.com/watch?v=a"/><media:group><media:description>`,
      '*a_ ',
      '</media:description></media:group></entry></feed>',
    ),
};

const APP = '{"resultCount":1,"results":[{"kind":"software","trackName":"Acme","version":"1.0","releaseNotes":"';

const APPS: Record<string, (size: number) => string> = {
  'long notes': (size) => filled(size, APP, '*a_ ', '"}]}'),
  'empty lists': (size) => filled(size, `${APP}a"}],"x":[`, '[],', '[]]}'),
  'short results': (size) => filled(size, '{"resultCount":1,"results":[', '{},', '{}]}'),
};

const SHA = 'a'.repeat(40);

// Paths below the repository in the code host's API; files are those with an extension.
const REPOSITORIES: Record<string, (size: number) => Record<string, string>> = {
  'long releases': (size) => ({
    '/releases': JSON.stringify(
      Array.from({ length: 100 }, (_, at) => ({
        id: at + 1,
        tag_name: `v1.${at}.0`,
        body: filled(size / 110, '', `- ${PROSE}\n`, ''),
        published_at: '2024-01-01T00:00:00Z',
      })),
    ),
  }),
  'a listing of empty lists': (size) => ({ '/releases': filled(size, '[', '[],', '[]]') }),
  'a listing of short releases': (size) => ({ '/releases': filled(size, '[', '{"id":1,"tag_name":"a"},', '{}]') }),
  'many tags': (size) => {
    const pages = Math.max(1, Math.round(size / 100_000));
    const page = (at: number) =>
      JSON.stringify(
        Array.from({ length: 100 }, (_, index) => ({
          name: `v${at}.${index}.0`,
          commit: { sha: SHA.replace(/^a{8}/, String(10_000_000 + at * 100 + index)) },
        })),
      );
    return {
      '/releases': '[]',
      ...Object.fromEntries(
        Array.from({ length: pages }, (_, at) => [`/tags?per_page=100${at === 0 ? '' : `&page=${at + 1}`}`, page(at)]),
      ),
    };
  },
  'a long changelog': (size) => ({
    '/releases': '[]',
    '/tags': '[]',
    '/CHANGELOG.md': filled(size, '# Changelog\n\n', `## 1.2.3\n\n- ${PROSE}\n`, ''),
  }),
  'a changelog of headings': (size) => ({
    '/releases': '[]',
    '/tags': '[]',
    '/CHANGELOG.md': filled(size, '# Changelog\n', '## 1.2.3\n', ''),
    '/package.json': filled(size, '{"name":"acme","dependencies":{', '"a":"1",', '"b":"1"}}'),
  }),
};

// Files that the tree lists besides.
const SMALL_FILES = {
  '/CHANGELOG.md': '# Changelog\n\n## 1.0.0\n\n- First\n',
  '/package.json': '{"name":"acme"}',
  '/packages/*': '{"name":"part"}',
};

// A tree of so many files as the code host lists at most; changelogs and manifests in every folder.
function tree(size: number): string {
  const files = ['CHANGELOG.md', 'package.json', 'index.ts'];
  // A blob takes about 135 characters.
  const count = Math.floor(size / 140);
  const blobs = Array.from({ length: count }, (_, at) => ({
    path: at < 2 ? files[at] : `packages/p${at}/${files[at % 3]}`,
    type: 'blob',
    mode: '100644',
    sha: SHA,
    size: 10,
  }));
  return JSON.stringify({ tree: blobs, truncated: false });
}

const JSON_TYPE = 'application/json';

interface Kind {
  type: SourceType;
  contentType: string;
  path(key: number): string;
  address?(key: number): string;
}

function ofKind(
  { type, contentType, path, address }: Kind,
  documents: Record<string, (size: number) => string | Uint8Array>,
): SourceDocument[] {
  return Object.entries(documents).map(([name, make]) => ({
    name,
    type,
    address: (outside, key) => address?.(key) ?? `${outside}${path(key)}`,
    pages: (size, key) => [{ path: path(key), type: contentType, body: make(size) }],
  }));
}

function repositoryPages(size: number, key: number, listed: Record<string, string>): ServedPage[] {
  const api = `/repos/acme/app${key}`;
  const pages = Object.entries({
    '': JSON.stringify({ id: key, full_name: `acme/app${key}` }),
    '/git/trees/HEAD': tree(size),
    ...SMALL_FILES,
    ...listed,
  });
  return pages.map(([path, body], index) => {
    if (path in SMALL_FILES) return { path: `/acme/app${key}/HEAD${path}`, type: 'text/plain', body };
    const follower = pages[index + 1]?.[0];
    const isFollowed = path.includes('?') && follower?.includes('?');
    return { path: api + path, type: JSON_TYPE, body, ...(isFollowed ? { next: api + follower } : {}) };
  });
}

export const SOURCE_DOCUMENTS: readonly SourceDocument[] = [
  ...ofKind({ type: 'feed', contentType: 'application/rss+xml', path: (key) => `/feed/${key}` }, FEEDS),
  ...ofKind({ type: 'scrape', contentType: 'text/html', path: (key) => `/page/${key}` }, PAGES),
  ...ofKind({ type: 'scrape', contentType: 'text/markdown', path: (key) => `/markdown/${key}` }, MARKDOWN),
  ...ofKind(
    {
      type: 'video',
      contentType: 'application/atom+xml',
      path: (key) => `/feeds/videos.xml?playlist_id=PL${key}`,
      address: (key) => `https://www.youtube.com/playlist?list=PL${key}`,
    },
    VIDEOS,
  ),
  ...ofKind(
    {
      type: 'appstore',
      contentType: JSON_TYPE,
      path: (key) => `/lookup?id=${key}&country=us`,
      address: (key) => `https://apps.apple.com/us/app/acme/id${key}`,
    },
    APPS,
  ),
  ...Object.entries(REPOSITORIES).map(
    ([name, make]): SourceDocument => ({
      name,
      type: 'github',
      address: (_, key) => `https://github.com/acme/app${key}`,
      pages: (size, key) => repositoryPages(size, key, make(size)),
    }),
  ),
];
