// The guide that the API reference opens with: what to know before the first call.
import type { Config } from '../../config.ts';
import { schemaPath } from '../../http/openapi/reference-paths.ts';
import { type Html, html, plural } from './html.ts';
import { command } from './parts.ts';

export function apiGuide({ baseUrl, rates }: Pick<Config, 'baseUrl' | 'rates'>): Html {
  return html`<section class="guide" id="guide">
<h2 id="first-calls">First calls</h2>
<p>Reading needs no account. Copy a line and run it:</p>
${command(`curl '${baseUrl}/v1/releases/latest?count=5'`, 'The five newest releases')}
${command(`curl '${baseUrl}/v1/search?q=websocket+reconnect'`, 'Search releases and changelogs')}
<p>What changes between two versions? Put in the name and the versions of a package that you use:</p>
${command(`curl '${baseUrl}/v1/whats-changed?package=acme-cli&from=1.4.0&to=latest'`, 'What changes between two versions')}
<h2 id="base-address">Base address</h2>
<p>All paths below start at <code>${baseUrl}</code>. Answers are JSON; many reads also answer as markdown when you send <code>Accept: text/markdown</code>. <a href="/v1/openapi.json">openapi.json</a> describes every call for programs, and the <a href="/docs/api">API guide</a> tells more about ids, dates and the live stream.</p>
<h2 id="authentication">Authentication</h2>
<p>A call with a mark such as <span class="badge line">account</span> or <span class="badge line">write</span> needs a credential, and its description says which one. Make an <a href="/login?next=%2Faccount%2Fkeys">API key</a> for your account; machine tokens come from the operator of this registry. Send it as a header. The examples read it from <code>KEY</code>:</p>
${command(`curl -H "Authorization: Bearer $KEY" '${baseUrl}/v1/me'`, 'A call with a key')}
<h2 id="errors">Errors</h2>
<p>A call that fails has a status of 400 or above and a body of the form <a href="${schemaPath('Error')}">Error</a>. Test for <code>error.code</code>, which keeps its meaning; <code>error.message</code> is for people and may change. <a href="/docs/errors">All codes, and what to do about each status</a></p>
<h2 id="paging">Paging</h2>
<p>Feeds of releases answer <code>pagination.nextCursor</code>: pass it as <code>cursor</code> for the next page, until it is <code>null</code>. Other lists take <code>page</code> and <code>limit</code>; <code>pagination.hasMore</code> says whether another page follows.</p>
<h2 id="limits">Limits</h2>
<p>${limitWords(rates)} <code>RateLimit</code> says how many reads are left. After a 429, wait as many seconds as <code>Retry-After</code> says.</p>
</section>
`;
}

// Zero means that there is no limit.
function limitWords(rates: Config['rates']): string {
  const words = (rate: number) => (rate === 0 ? 'as many reads as you like' : `${plural(rate, 'read')} a minute`);
  return `Without a key: ${words(rates.public)} from one address. With a key of your account: ${words(rates.account)}. With a machine token: ${words(rates.token)}.`;
}
