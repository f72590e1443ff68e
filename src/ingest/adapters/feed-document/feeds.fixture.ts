// Feeds of every format with the same three items, for tests.
export const RSS = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
  <title>Kettle news</title>
  <link>https://kettle.example/</link>
  <atom:link href="https://kettle.example/feed.xml" rel="self"/>
  <lastBuildDate>Sat, 01 Jun 2024 00:00:00 GMT</lastBuildDate>
  <item>
    <title>Kettle 2.4 is out</title>
    <link>https://kettle.example/news/2-4</link>
    <guid isPermaLink="false">k-3</guid>
    <pubDate>Mon, 15 Jan 2024 10:00:00 EST</pubDate>
    <category>Releases</category>
    <description>Quieter lids.</description>
    <content:encoded><![CDATA[<p>Quieter <b>lids</b>, see <a href="/docs/lids">the guide</a>.</p><p><img src="/lid.png" alt="Lid"></p>]]></content:encoded>
  </item>
  <item>
    <title>Kettle 2.3 is out</title>
    <link>https://kettle.example/news/2-3</link>
    <guid isPermaLink="false">k-2</guid>
    <pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate>
    <description>Faster boil.</description>
  </item>
  <item>
    <title>Meet the team</title>
    <link>https://kettle.example/news/team</link>
    <guid isPermaLink="false">k-1</guid>
    <pubDate>Fri, 01 Dec 2023 10:00:00 GMT</pubDate>
    <description>Three people and a stove.</description>
  </item>
</channel>
</rss>`;

export const RDF = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://kettle.example/"><title>Kettle news</title><link>https://kettle.example/</link>
<items><rdf:Seq><rdf:li rdf:resource="https://kettle.example/news/2-4"/></rdf:Seq></items></channel>
<item rdf:about="https://kettle.example/news/2-4"><title>Kettle 2.4 is out</title><link>https://kettle.example/news/2-4</link>
<dc:date>2024-01-15T15:00:00Z</dc:date><dc:subject>Releases</dc:subject><description>Quieter lids.</description></item>
</rdf:RDF>`;

export const ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://kettle.example/news/">
  <title>Kettle news</title>
  <link href="https://kettle.example/"/>
  <link rel="self" href="https://kettle.example/atom.xml"/>
  <updated>2024-06-01T00:00:00Z</updated>
  <entry>
    <title type="html">Kettle &lt;em&gt;2.4&lt;/em&gt; is out</title>
    <id>tag:kettle.example,2024:3</id>
    <link rel="enclosure" type="image/png" href="https://kettle.example/lid.png"/>
    <link rel="alternate" type="text/html" href="2-4"/>
    <published>2024-01-15T10:00:00-05:00</published>
    <updated>2024-02-01T00:00:00Z</updated>
    <category term="releases" label="Releases"/>
    <summary>Quieter lids.</summary>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Quieter <b>lids</b>, see <a href="../docs/lids">the guide</a>.</p></div></content>
  </entry>
</feed>`;

export const ATOM_03 = `<?xml version="1.0"?>
<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Kettle news</title>
<entry><title>Kettle 2.4 is out</title><id>k-3</id><link rel="alternate" type="text/html" href="https://kettle.example/news/2-4"/>
<issued>2024-01-15T10:00:00-05:00</issued><modified>2024-02-01T00:00:00Z</modified>
<content type="text/html" mode="escaped">&lt;p&gt;Quieter &lt;b&gt;lids&lt;/b&gt;.&lt;/p&gt;</content></entry></feed>`;

export const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'Kettle news',
  home_page_url: 'https://kettle.example/',
  items: [
    {
      id: 'k-3',
      url: 'https://kettle.example/news/2-4',
      title: 'Kettle 2.4 is out',
      content_html: '<p>Quieter <b>lids</b>.</p>',
      summary: 'Quieter lids.',
      date_published: '2024-01-15T10:00:00-05:00',
      tags: ['Releases'],
      image: 'https://kettle.example/lid.png',
    },
  ],
});

// An RSS feed around one item.
export function rss(item: string, channel = ''): string {
  return `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"><channel><title>K</title><link>https://kettle.example/</link>${channel}<item>${item}</item></channel></rss>`;
}

// An Atom feed around one entry.
export function atom(entry: string): string {
  return `<feed xmlns="http://www.w3.org/2005/Atom"><title>K</title><entry>${entry}</entry></feed>`;
}

// A JSON Feed around one item.
export function jsonFeed(item: object): string {
  return JSON.stringify({ version: 'https://jsonfeed.org/version/1', title: 'K', items: [item] });
}
