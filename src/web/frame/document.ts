// The frame of every page: skip link, notice, header with search, content, footer with the state of the service.
import { avatar } from '../components/avatar.ts';
import { signOut } from '../components/form.ts';
import { type Html, html } from '../components/html.ts';
import { icon, LOGO } from '../components/icon.ts';
import { siteNotice } from '../components/notice.ts';
import { ago } from '../components/time.ts';
import { documentHead, type PageHead } from './head.ts';
import type { Shell } from './shell.ts';

const MAIN_LINKS = [
  { path: '/catalog', name: 'Catalog' },
  { path: '/collections', name: 'Collections' },
  { path: '/live', name: 'Live' },
  { path: '/whats-changed', name: 'What’s changed' },
];

const FOOTER = [
  {
    name: 'Browse',
    links: [
      ['/catalog', 'Catalog'],
      ['/packages', 'Packages'],
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
