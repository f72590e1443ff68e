// The site search for the address bar of a browser: the OpenSearch description, and suggestions of names.
import { text } from '../../contract/query.ts';
import { Reply } from '../../http/kernel/reply.ts';
import { route } from '../../http/kernel/route.ts';
import { suggestNames } from '../../search/suggest.ts';
import { escapeXml, fixedFile } from './file.ts';

const NAMES = 8;
const SUGGESTIONS = 'application/x-suggestions+json';

const description = fixedFile({
  path: '/opensearch.xml',
  summary: 'The search of the site for browsers',
  type: 'application/opensearchdescription+xml; charset=utf-8',
  maxAge: 86_400,
  text: ({ config: { siteName, webUrl } }) => `<?xml version="1.0" encoding="utf-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escapeXml(siteName.slice(0, 16))}</ShortName>
<LongName>${escapeXml(siteName.slice(0, 48))}</LongName>
<Description>Search releases, products and changelogs</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image height="16" width="16" type="image/svg+xml">${escapeXml(webUrl)}/favicon.svg</Image>
<Url type="text/html" template="${escapeXml(webUrl)}/search?q={searchTerms}"/>
<Url type="${SUGGESTIONS}" template="${escapeXml(webUrl)}/search/suggest?q={searchTerms}"/>
</OpenSearchDescription>
`,
});

const suggestions = route({
  method: 'GET',
  path: '/search/suggest',
  summary: 'Names that a text may become',
  tag: 'Pages',
  access: 'public',
  query: { q: text({ max: 500 }) },
  lenientQuery: ['q'],
  answers: null,
  cache: [60, 300],
  run: async (ctx, { query: { q = '' } }) => {
    const names = q.trim() === '' ? [] : await suggestNames(ctx, { text: q, limit: NAMES });
    return new Reply(200, JSON.stringify([q, names]), { 'Content-Type': SUGGESTIONS });
  },
});

export const openSearchRoutes = [description, suggestions];
