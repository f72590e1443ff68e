// The frame of every page: head, skip link, notice, header with search, content, footer with the state of the service.
import { signOut } from '../components/form.ts';
import { type Html, html, raw } from '../components/html.ts';
import { avatar, icon, LOGO } from '../components/icon.ts';
import { siteNotice } from '../components/parts.ts';
import { ago } from '../components/time.ts';
import { outsideUrl } from '../links.ts';
import type { Shell } from './shell.ts';

const MAIN_LINKS = [
  { path: '/catalog', name: 'Catalog' },
  { path: '/packages', name: 'Packages' },
  { path: '/breaking', name: 'Broke this week' },
  { path: '/live', name: 'Live' },
  { path: '/whats-changed', name: 'What’s changed' },
];

const FOOTER = [
  {
    name: 'Browse',
    links: [
      ['/catalog', 'Catalog'],
      ['/packages', 'Packages'],
      ['/breaking', 'Broke this week'],
      ['/categories', 'Categories'],
      ['/collections', 'Collections'],
      ['/tags', 'Tags'],
    ],
  },
  {
    name: 'Feeds',
    links: [
      ['/feed.atom', 'Atom: all releases'],
      ['/docs/feeds', 'About feeds'],
      ['/live', 'Live'],
    ],
  },
  {
    name: 'Docs',
    links: [
      ['/docs/webhooks', 'Webhooks'],
      ['/docs/mcp', 'MCP server'],
      ['/docs/cli', 'Command line'],
      ['/docs/self-hosting', 'Self-hosting'],
    ],
  },
  {
    name: 'API',
    links: [
      ['/v1/docs', 'Reference'],
      ['/v1/openapi.json', 'OpenAPI'],
      ['/docs/errors', 'Errors'],
      ['/about', 'About this registry'],
    ],
  },
] as const;

export interface WebPage {
  // The name that tests and styles use for this page.
  name: string;
  head: PageHead;
  body: Html;
  // 200 by default.
  status?: number;
}

export function documentHtml(shell: Shell, page: WebPage): Html {
  return html`<!doctype html>
<html lang="en">
<head>
${documentHead(shell, page.head)}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${shell.notice?.placement === 'banner' ? siteNotice(shell.notice) : ''}${header(shell, page)}
<main id="main" data-page="${page.name}"><div class="wrap">
${page.body}
</div></main>
${footer(shell)}
</body>
</html>
`;
}

function header(shell: Shell, page: WebPage): Html {
  const current = (path: string) =>
    shell.path === path || shell.path.startsWith(`${path}/`) ? html` aria-current="page"` : '';
  const link = ({ path, name }: { path: string; name: string }) => html`<a href="${path}"${current(path)}>${name}</a>`;
  return html`<header class="head"><div class="wrap">
<a class="logo" href="/">${LOGO}<span class="logo-word">${shell.siteName}</span><span class="sr">, home</span></a>
<nav class="nav" aria-label="Main">${MAIN_LINKS.map(link)}</nav>
<form class="head-search searchbox" action="/search" role="search" aria-label="Registry" data-form="search">${icon('search')}<label class="sr" for="hq">Search</label><input class="input" id="hq" name="q" type="search" placeholder="Search" autocomplete="off"><span class="hint" aria-hidden="true"><kbd>Ctrl</kbd> <kbd>K</kbd></span></form>
<div class="head-end"><button class="iconbtn" type="button" data-theme-toggle hidden aria-label="Theme: system">${icon('moon')}</button>${operatorLink(shell, page)}${accountLink(shell)}
<details class="menu"><summary aria-label="Menu">${icon('menu')}</summary><nav class="menu-sheet" aria-label="Menu">${MAIN_LINKS.map(link)}<a href="/docs">Docs</a><a href="/v1/docs">API reference</a>${accountMenu(shell)}</nav></details>
</div>
</div></header>`;
}

// On pages that do not identify the reader one link serves everybody: the sign-in page redirects readers who are signed
// in.
const ACCOUNT_OR_SIGN_IN = '/login?next=%2Faccount';

// Pages of which the operator area has a copy with a menu.
const OPERATOR_COPIES = new Set(['org', 'product', 'source', 'release']);

function operatorLink({ isOperator, path }: Shell, { name }: WebPage): Html {
  if (!isOperator || path.startsWith('/admin/view/')) return '';
  const [href, words] = OPERATOR_COPIES.has(name) ? [`/admin/view${path}`, 'Edit as operator'] : ['/admin', 'Operator'];
  return html`<a class="btn quiet" href="${href}">${words}</a>`;
}

function accountLink({ account, isAccountKnown, path }: Shell): Html {
  if (!isAccountKnown) return html`<a class="btn quiet" href="${ACCOUNT_OR_SIGN_IN}">Account</a>`;
  if (!account) return html`<a class="btn quiet" href="/login${nextOf(path)}">Sign in</a>`;
  return html`<a class="btn quiet" href="/following">${icon('bell')}Following</a><a class="btn quiet" href="/account">${avatar(account.name, null)}<span class="who-am-i">${account.name}</span></a>`;
}

function accountMenu(shell: Shell): Html {
  const { account, isAccountKnown, path } = shell;
  if (!isAccountKnown) return html`<a href="${ACCOUNT_OR_SIGN_IN}">Account</a>`;
  if (!account) return html`<a href="/login${nextOf(path)}">Sign in</a>`;
  return html`<a href="/following">Following</a><a href="/account">Account</a>${signOut(shell)}`;
}

// Sign-in pages and error pages are no destinations after sign-in.
function nextOf(path: string): string {
  return path === '' || /^\/(?:$|(?:login|signup|logout|forgot-password|reset-password)(?:\/|$))/.test(path)
    ? ''
    : `?next=${encodeURIComponent(path)}`;
}

function footer(shell: Shell): Html {
  const fetched = shell.lastFetchAt ? html`<span>Last fetch ${ago(shell.lastFetchAt, shell.now)}</span>` : '';
  return html`<footer class="foot"><div class="wrap">
${FOOTER.map(({ name, links }) => html`<nav aria-label="${name}"><h2>${name}</h2><ul>${links.map(([path, text]) => html`<li><a href="${path}">${text}</a></li>`)}</ul></nav>\n`)}<p class="status"><span class="health ok">Running</span><span>Version ${shell.version}</span>${fetched}<span>Text of releases belongs to its publishers</span></p>
</div></footer>`;
}

// The head of a document: what search engines, feed readers and link previews read about a page.

type Form = 'json' | 'md' | 'atom';

interface PageHead {
  title: string;
  description?: string | null;
  // The canonical path of the page; absent where search engines should not list it.
  canonical?: string;
  // The formats that the page is also available in, below its canonical path.
  forms?: readonly Form[];
  robots?: 'noindex, follow' | 'noindex, nofollow';
  jsonLd?: readonly Record<string, unknown>[];
  // The picture of the page's own subject; the picture of the site where there is none.
  image?: { url: string; alt: string } | null;
  // A picture of the page for link previews, made for it.
  card?: { url: string; alt: string };
  // Set for a release: link previews show it as an article of that day.
  article?: { publishedAt: string | null };
}

const FORM_TYPES: Record<Form, { type: string; title: string }> = {
  json: { type: 'application/json', title: 'JSON' },
  md: { type: 'text/markdown', title: 'Markdown' },
  atom: { type: 'application/atom+xml', title: 'Atom feed' },
};

const DESCRIPTION_LENGTH = 160;

export function shortened(text: string, length: number): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  if (plain.length <= length) return plain;
  const cut = plain.slice(0, length - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2))}…`;
}

// Escapes `<`, so that the data cannot end its own script element.
export function jsonLdBlock(data: Record<string, unknown>): Html {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data })
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return raw(`<script type="application/ld+json">${text}</script>\n`);
}

function documentHead(shell: Shell, head: PageHead): Html {
  const title = head.title === shell.siteName ? head.title : `${head.title} · ${shell.siteName}`;
  const description = shortened(
    head.description || `What changed in ${head.title}, and what it breaks`,
    DESCRIPTION_LENGTH,
  );
  const canonical = head.canonical ? `${shell.webUrl}${head.canonical}` : null;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
${head.robots ? html`<meta name="robots" content="${head.robots}">\n` : ''}${canonical ? html`<link rel="canonical" href="${canonical}">\n` : ''}${alternates(head)}<meta property="og:title" content="${head.title}">
<meta property="og:description" content="${description}">
<meta property="og:site_name" content="${shell.siteName}">
<meta property="og:type" content="${head.article ? 'article' : 'website'}">
${head.article?.publishedAt ? html`<meta property="article:published_time" content="${head.article.publishedAt}">\n` : ''}${picture(shell, head)}${canonical ? html`<meta property="og:url" content="${canonical}">\n` : ''}<meta name="twitter:card" content="${head.image ? 'summary' : 'summary_large_image'}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${shell.siteName}">
<link rel="preload" href="${shell.assets.font}" as="font" type="font/woff2" crossorigin>
<script src="${shell.assets.theme}"></script>
<link rel="stylesheet" href="${shell.assets.style}">
<script type="module" src="${shell.assets.script}"></script>
${dataBlocks(shell, head).map(jsonLdBlock)}`;
}

// Null when the subject has no picture, or one that no other server could fetch.
export function pictureOf(alt: string, address: string | null | undefined): PageHead['image'] {
  const url = outsideUrl(address);
  return url ? { url, alt } : null;
}

function picture({ webUrl }: Shell, { image, card }: PageHead): Html {
  if (image) {
    return html`<meta property="og:image" content="${image.url}">
<meta property="og:image:alt" content="${image.alt}">
`;
  }
  return cardTags(card ?? { url: `${webUrl}/social.png`, alt: 'Will this update break my code?' });
}

function cardTags({ url, alt }: { url: string; alt: string }): Html {
  return html`<meta property="og:image" content="${url}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${alt}">
`;
}

// Every page below the home page has a breadcrumb in its structured data.
function dataBlocks(shell: Shell, { title, canonical, jsonLd = [] }: PageHead): readonly Record<string, unknown>[] {
  const isPlaced = !canonical || canonical === '/' || jsonLd.some((block) => block['@type'] === 'BreadcrumbList');
  return isPlaced ? jsonLd : [...jsonLd, breadcrumbs(shell, [{ name: title, path: canonical }])];
}

function alternates({ forms: offered = [], canonical, title }: PageHead): Html {
  if (!canonical) return '';
  const base = canonical === '/' ? '/feed' : canonical;
  return html`${offered.map((form) => {
    const { type, title: name } = FORM_TYPES[form];
    return html`<link rel="alternate" type="${type}" href="${base}.${form}" title="${title}: ${name}">\n`;
  })}`;
}

export function breadcrumbs(shell: Shell, trail: readonly { name: string; path: string }[]): Record<string, unknown> {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${shell.webUrl}${path}`,
    })),
  };
}
