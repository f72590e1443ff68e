// The head of a document: what search engines, feed readers and link previews read about a page.
import { type Html, html, raw } from '../components/html.ts';
import { outsideUrl } from '../links.ts';
import type { Shell } from './shell.ts';

type Form = 'json' | 'md' | 'atom';

export interface PageHead {
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

export function documentHead(shell: Shell, head: PageHead): Html {
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

function picture({ webUrl }: Shell, { image }: PageHead): Html {
  if (image) {
    return html`<meta property="og:image" content="${image.url}">
<meta property="og:image:alt" content="${image.alt}">
`;
  }
  return html`<meta property="og:image" content="${webUrl}/social.png">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="Will this update break my code?">
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
