// /about and /about/crawler: what this registry is, how its crawler works, and whom to contact.

import { ROBOTS_TOKEN } from '../../domain/net/robots.ts';
import { registryCounts } from '../../entities/registry/counts.ts';
import { type Html, html, plural } from '../components/html.ts';
import { crumbs, facts } from '../components/parts.ts';
import { contactAddress } from '../discovery/texts.ts';
import { breadcrumbs } from '../frame/document.ts';
import { page } from '../page.ts';

const ABOUT = { name: 'About', path: '/about' };

function contactLine(contact: string | null): Html {
  if (contact === null) return html`<p>The operator has named no contact.</p>`;
  const address = contactAddress(contact);
  const link = /^(?:mailto:|https?:\/\/)/i.test(address) ? html`<a href="${address}">${contact}</a>` : contact;
  return html`<p>Write to ${link}.</p>`;
}

// Only counts above 0 are told.
function holdings({ releases, orgs, products, sources }: Awaited<ReturnType<typeof registryCounts>>): Html {
  if (releases === 0) return html`<p>It holds no release yet.</p>`;
  const makers = [orgs > 0 ? plural(orgs, 'organization') : '', products > 0 ? plural(products, 'product') : ''];
  const of = makers.filter(Boolean).join(' and ');
  return html`<p>It holds ${plural(releases, 'release')}${of ? ` of ${of}` : ''}, read from ${plural(sources, 'source')}.</p>`;
}

export const aboutPage = page({
  path: '/about',
  summary: 'What this registry is',
  load: async (ctx) => ({ counts: await registryCounts(ctx), contact: ctx.config.contact }),
  show: ({ counts, contact }, shell) => ({
    name: 'about',
    head: {
      title: 'About',
      description: `${shell.siteName} collects release notes and says what changed and whether it breaks anything.`,
      canonical: '/about',
    },
    body: html`<div class="article prose"><h1>About ${shell.siteName}</h1>
<p class="lede">This registry collects the release notes of software from feeds, repositories, changelog files and stores, and answers one question: will this update break my code?</p>
${holdings(counts)}
<h2>What you can rely on</h2>
<ul><li>Notes are shown as their publishers wrote them. What the registry adds, such as a summary or a verdict, stands apart and is signed.</li>
<li>A verdict is only given where the notes back it. Otherwise it is not known, and the page says so. An upgrade whose history is not complete never counts as free of breaks.</li>
<li>When a publisher edits a note, earlier states stay readable through the API.</li></ul>
<h2>How to read it</h2>
<p>All pages work without script and without an account. Programs use the <a href="/docs/api">API</a>, <a href="/docs/feeds">feeds</a>, <a href="/docs/webhooks">webhooks</a>, the <a href="/docs/cli">command line</a> or the <a href="/docs/mcp">tools for agents</a>. You can <a href="/docs/self-hosting">run a registry of your own</a>.</p>
<h2>Contact</h2>${contactLine(contact)}
<p>To learn how this registry reads other sites, see <a href="/about/crawler">how it fetches</a>.</p></div>`,
  }),
});

export const crawlerPage = page({
  path: '/about/crawler',
  summary: 'How this registry reads other sites',
  load: async ({ config }) => ({ contact: config.contact, baseUrl: config.baseUrl }),
  show: ({ contact, baseUrl }, shell) => ({
    name: 'crawler',
    head: {
      title: 'How this registry fetches',
      description: 'The user agent of this registry, the rules it follows, and how to keep it out.',
      canonical: '/about/crawler',
      jsonLd: [breadcrumbs(shell, [ABOUT, { name: 'How it fetches', path: '/about/crawler' }])],
    },
    body: html`${crumbs([ABOUT], 'How it fetches')}<div class="article prose"><h1>How this registry fetches</h1>
<p class="lede">The registry reads public release notes so that people can find them. It sends its readers on to the original.</p>
${facts([
  ['User agent', html`<code>ReleaseRegistry/${shell.version} (+${baseUrl}/about/crawler)</code>`],
  ['Name in robots.txt', html`<code>${ROBOTS_TOKEN}</code>`],
])}
<h2>What it does</h2>
<ul><li>It reads feeds, repository releases, changelog files, app store entries and, where there is nothing else, pages.</li>
<li>It asks robots.txt before it reads a page, and heeds <code>Crawl-delay</code> up to 30 seconds.</li>
<li>It starts at most one request a second to a host, with at most two running at once in a process.</li>
<li>It asks with <code>If-None-Match</code> and <code>If-Modified-Since</code>, and waits as long as <code>Retry-After</code> says.</li>
<li>It asks less often where little changes, and waits longer after every failure.</li></ul>
<h2>How to keep it out</h2>
<div class="code bare"><pre tabindex="0"><code>User-agent: ${ROBOTS_TOKEN}
Disallow: /</code></pre></div>
<h2>Contact</h2>${contactLine(contact)}</div>`,
  }),
});
