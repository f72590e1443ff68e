// Pages as their makers write them, each in the form that one of the parsers is for.

export const LAUNCHES = [
  {
    title: 'Shared dashboards',
    day: '2024-05-20',
    words: 'Dashboards can now be shared with everybody in a workspace.',
  },
  {
    title: 'Faster imports',
    day: '2024-05-06',
    words: 'Imports of large tables take a third of the time that they took.',
  },
  { title: 'Audit trail export', day: '2024-04-22', words: 'The audit trail can be exported as a file once a day.' },
  {
    title: 'Keyboard shortcuts',
    day: '2024-04-08',
    words: 'Every command of the editor can be reached by the keyboard.',
  },
];

type Launch = (typeof LAUNCHES)[number];

export const slugOf = ({ title }: Launch) => title.toLowerCase().replaceAll(' ', '-');

export function page(main: string, { head = '', after = '' } = {}): string {
  return `<!doctype html><html><head><title>Changelog</title>${head}</head><body>
    <nav><a href="/">Home</a> <a href="/pricing">Pricing</a></nav>
    <header><p>Acme makes tools for tables</p></header>
    <main>${main}</main>
    <footer><p>Acme Ltd, 1 Long Road</p></footer>${after}</body></html>`;
}

export function siblingsPage(launches: readonly Launch[] = LAUNCHES): string {
  const boxes = launches.map(
    (launch, at) => `<div class="entry ${at === 0 ? 'first' : ''}" id="${slugOf(launch)}">
      <div class="date">${launch.day}</div><h2>${launch.title}</h2><p>${launch.words}</p></div>`,
  );
  return page(`<h1>Changelog</h1>${boxes.join('\n')}`);
}

export function articlesPage(launches: readonly Launch[] = LAUNCHES): string {
  const articles = launches.map(
    (launch) => `<article><header><h2><a href="/changelog/${slugOf(launch)}">${launch.title}</a></h2>
      <time datetime="${launch.day}T09:30:00Z">some day</time></header><p>${launch.words}</p>
      <p><img src="/shots/${slugOf(launch)}.png" alt="shot" width="800"></p></article>`,
  );
  return page(`<h1>Changelog</h1>${articles.join('\n')}`);
}

export function headingsPage(): string {
  return page(`<h1>Release notes</h1>
    <h2 id="v2-1-0">2.1.0 - 2024-05-20</h2><h3>Added</h3><ul><li>Shared dashboards for everybody in a workspace</li></ul>
    <h2 id="v2-0-0">2.0.0 - 2024-04-22</h2><ul><li>The audit trail can be exported as a file once a day</li></ul>
    <h2>1.9.0 - 2024-04-08</h2><ul><li>Every command of the editor can be reached by keyboard</li></ul>`);
}

export function jsonLdPage(): string {
  const posts = LAUNCHES.map((launch) => ({
    '@type': 'BlogPosting',
    headline: launch.title,
    datePublished: launch.day,
    url: `/changelog/${slugOf(launch)}`,
    articleBody: launch.words,
  }));
  const data = JSON.stringify({ '@context': 'https://schema.org', '@graph': [{ '@type': 'Blog', blogPost: posts }] });
  const text = LAUNCHES.map((launch) => `<p>${launch.title}: ${launch.words}</p>`).join('');
  return page(text, { head: `<script type="application/ld+json">${data}</script>` });
}

export function statePage(): string {
  const posts = LAUNCHES.map((launch) => ({
    title: launch.title,
    slug: slugOf(launch),
    publishedAt: launch.day,
    body: `<p>${launch.words}</p>`,
  }));
  const state = JSON.stringify({ props: { pageProps: { posts, menu: [{ title: 'Home', href: '/' }] } } });
  return `<!doctype html><html><body><div id="app"></div>
    <script id="__NEXT_DATA__" type="application/json">${state}</script></body></html>`;
}

export function indexPage(launches: readonly Launch[] = LAUNCHES): string {
  const rows = launches.map(
    (launch) => `<li><a href="/changelog/${slugOf(launch)}">${launch.title}</a> <span>${launch.day}</span></li>`,
  );
  return page(`<h1>Changelog</h1><ul>${rows.join('')}</ul>`);
}

export function entryPage(launch: Launch): string {
  return page(
    `<article><h1>${launch.title}</h1><p>${launch.words}</p><p>It is there for everybody today.</p></article>`,
  );
}

export function emptyShell(): string {
  const script = 'function draw(){document.body.append("text")}'.repeat(60);
  return `<!doctype html><html><body><div id="root"></div><script>${script}</script></body></html>`;
}
