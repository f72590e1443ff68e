import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { adapterInput } from '../../../../test/support/adapter-input.ts';
import { conditional, type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { toJson } from '../../../store/json-text.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import { fetchVideo } from './adapter.ts';

const CHANNEL = 'UCabcdefghijklmnopqrstuv';

const entry = (id: string, title: string, path = `watch?v=${id}`) => `<entry>
  <id>yt:video:${id}</id><yt:videoId>${id}</yt:videoId><title>${title}</title>
  <link rel="alternate" href="https://www.youtube.com/${path}"/>
  <published>2024-01-15T10:00:00+00:00</published><updated>2024-02-01T10:00:00+00:00</updated>
  <media:group><media:title>${title}</media:title>
    <media:content url="https://www.youtube.com/v/${id}?version=3" type="application/x-shockwave-flash"/>
    <media:thumbnail url="https://i1.ytimg.com/vi/${id}/hqdefault.jpg" width="480" height="360"/>
    <media:description>Lids &lt;b&gt; and more.

See https://kettle.example/lids</media:description>
  </media:group></entry>`;

const YOUTUBE = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
<title>Kettle</title>${entry('one', 'Kettle 2.4 in two minutes')}${entry('two', 'Quick tip', 'shorts/two')}</feed>`;

const VIMEO = `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Kettle</title>
<item><title>With poster</title><link>https://vimeo.com/1</link><guid>https://vimeo.com/1</guid><pubDate>Mon, 15 Jan 2024 10:00:00 GMT</pubDate>
<description><![CDATA[<p><a href="https://vimeo.com/1"><img src="https://i.vimeocdn.com/1.jpg"></a></p><p>Lids</p>]]></description>
<media:content><media:thumbnail url="https://i.vimeocdn.com/1_640.jpg"/></media:content></item>
<item><title>Without</title><link>https://vimeo.com/2</link><guid>https://vimeo.com/2</guid><description>More lids</description></item>
</channel></rss>`;

describe('video adapter', () => {
  let world: OutsideWorld;
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.requests.length = 0;
  });
  const poll = (source: Partial<SourceRow>, options = {}) =>
    fetchVideo(world.context(), adapterInput({ type: 'video', ...source }, options));
  const paths = () => world.requests.map(({ path }) => path);

  it('youtube: a channel', async () => {
    world.route('/feeds/videos.xml', conditional({ body: YOUTUBE, headers: { etag: '"1"' } }));
    const source = { url: `https://www.youtube.com/channel/${CHANNEL}` };
    const first = await poll(source);
    assert.equal(first.outcome, 'success');
    assert.deepEqual(paths(), [`/feeds/videos.xml?channel_id=${CHANNEL}`]);
    assert.deepEqual(first.sourceChanges, { video_provider: 'youtube' });
    assert.deepEqual(first.items, [
      {
        title: 'Kettle 2.4 in two minutes',
        content: 'Lids <b> and more.\n\nSee https://kettle.example/lids',
        version: '2.4',
        url: 'https://www.youtube.com/watch?v=one',
        guid: 'yt:video:one',
        publishedAt: '2024-01-15T10:00:00.000Z',
        datePrecision: 'time',
        dateFromUpdated: false,
        media: [
          {
            type: 'image',
            url: 'https://i1.ytimg.com/vi/one/hqdefault.jpg',
            alt: 'Kettle 2.4 in two minutes',
            linkUrl: 'https://www.youtube.com/watch?v=one',
          },
        ],
        categories: [],
        links: ['https://kettle.example/lids'],
        origin: 'video',
        confidence: 1,
      },
    ]);
    const second = await poll({ ...source, video_provider: 'youtube' }, { stored: 1, validators: first.validators });
    assert.equal(second.outcome, 'no_change');
    assert.equal(second.httpStatus, 304);
  });

  it('youtube: a playlist', async () => {
    await poll({ url: 'https://www.youtube.com/playlist?list=PL1' });
    assert.deepEqual(paths(), ['/feeds/videos.xml?playlist_id=PL1']);
  });

  it('youtube: short films when they are wanted', async () => {
    const source = { url: `https://www.youtube.com/channel/${CHANNEL}`, settings: toJson({ includeShorts: true }) };
    assert.equal((await poll(source)).items.length, 2);
  });

  for (const path of ['/@kettle', '/c/Kettle', '/user/kettle']) {
    it(`youtube: ${path} is resolved once`, async () => {
      world.route(path, `<html><link rel="canonical" href="https://www.youtube.com/channel/${CHANNEL}"></html>`);
      const url = `https://www.youtube.com${path}/videos`;
      const first = await poll({ url });
      const feed = `${world.url}/feeds/videos.xml?channel_id=${CHANNEL}`;
      assert.deepEqual(first.sourceChanges, { video_provider: 'youtube', video_feed: feed });
      assert.equal(first.requests, 2);
      const second = await poll({ url, ...first.sourceChanges });
      assert.equal(second.requests, 1);
      assert.deepEqual(second.sourceChanges, {});
    });
  }

  it('youtube: a page that names no channel', async () => {
    world.route('/@lost', '<html><body>Before you continue</body></html>');
    const result = await poll({ url: 'https://www.youtube.com/@lost' });
    assert.equal(result.outcome, 'malformed');
    assert.equal((await poll({ url: 'https://www.youtube.com/@nobody' })).outcome, 'gone');
  });

  it('vimeo: posters of the feed, else by oEmbed', async () => {
    world.route('/kettle/videos/rss', VIMEO);
    world.route('/api/oembed.json', ({ path }) => {
      assert.match(path, /url=https%3A%2F%2Fvimeo\.com%2F2$/);
      return JSON.stringify({ thumbnail_url: 'https://i.vimeocdn.com/2.jpg', duration: 205 });
    });
    const { items, outcome } = await poll({ url: 'https://vimeo.com/kettle' });
    assert.equal(outcome, 'success');
    assert.deepEqual(
      items.map(({ media }) => media),
      [
        [
          {
            type: 'image',
            url: 'https://i.vimeocdn.com/1_640.jpg',
            alt: 'With poster',
            linkUrl: 'https://vimeo.com/1',
          },
        ],
        [{ type: 'image', url: 'https://i.vimeocdn.com/2.jpg', alt: 'Without (3:25)', linkUrl: 'https://vimeo.com/2' }],
      ],
    );
    assert.deepEqual(
      items.map(({ content }) => content),
      ['Lids', 'More lids'],
    );
  });

  it('vimeo: an oEmbed that fails costs the poster alone', async () => {
    world.route('/channels/kettle/videos/rss', VIMEO);
    world.route('/api/oembed.json', { status: 500 });
    const { items, outcome } = await poll({ url: 'https://vimeo.com/channels/kettle' });
    assert.equal(outcome, 'success');
    assert.equal(items[1]?.media, undefined, 'nothing is said about it');
  });

  it('wistia: a configured feed, with title, poster and length by oEmbed', async () => {
    world.route(
      '/wistia.xml',
      '<rss><channel><item><title>raw.mp4</title><link>https://k.wistia.com/medias/a1</link></item></channel></rss>',
    );
    world.route(
      '/oembed',
      JSON.stringify({ title: 'Lids', thumbnail_url: 'https://w.example/a1.jpg', duration: 61.2 }),
    );
    const { items } = await poll({ url: 'https://k.wistia.com/projects/p1', video_feed: `${world.url}/wistia.xml` });
    assert.equal(items[0]?.title, 'Lids');
    assert.deepEqual(items[0]?.media, [
      { type: 'image', url: 'https://w.example/a1.jpg', alt: 'Lids (1:01)', linkUrl: 'https://k.wistia.com/medias/a1' },
    ]);
  });

  it('wistia: the feed that the page names', async () => {
    world.route('/projects/p1', '<link rel="alternate" type="application/rss+xml" href="/wistia.xml">');
    const ctx = world.context();
    // The page lives on the customer's own host, which this world stands in for.
    const fetch: typeof ctx.fetch = ({ url, ...request }) => {
      const { pathname, search } = new URL(String(url));
      return ctx.fetch({ ...request, url: world.url + pathname + search });
    };
    const input = adapterInput({ type: 'video', url: 'https://k.wistia.com/projects/p1' });
    const result = await fetchVideo({ ...ctx, fetch }, input);
    assert.equal(result.outcome, 'success');
    assert.equal(result.items[0]?.title, 'Lids');
    assert.equal(result.sourceChanges.video_provider, 'wistia');
  });

  it('wistia: a stored video keeps its title while oEmbed fails, a new one comes with what the feed says', async () => {
    const entry = (id: string) => `<item><title>${id}.mp4</title><link>https://k.wistia.com/medias/${id}</link></item>`;
    world.route('/two.xml', `<rss><channel>${entry('a1')}${entry('a2')}</channel></rss>`);
    world.route('/oembed', { status: 500 });
    const known = { guids: new Set<string>(), urls: new Set(['https://k.wistia.com/medias/a1']), count: 1 };
    const feed = { url: 'https://k.wistia.com/projects/p1', video_feed: `${world.url}/two.xml` };
    const source = { type: 'video', ...feed } as const;
    const { items } = await fetchVideo(world.context(), adapterInput(source, { known, firstFetch: false }));
    assert.deepEqual(
      items.map(({ title }) => title),
      ['a2.mp4'],
    );
  });

  it('a single video and any other address are refused without a request', async () => {
    const single = await poll({ url: 'https://www.youtube.com/watch?v=one' });
    assert.equal(`${single.outcome}: ${single.detail}`, 'error: single_video: a video is no listing');
    assert.equal((await poll({ url: 'https://kettle.example/' })).outcome, 'error');
    assert.deepEqual(paths(), []);
  });

  it('failure has its usual names', async () => {
    world.route('/feeds/videos.xml', { status: 404 });
    assert.equal((await poll({ url: `https://www.youtube.com/channel/${CHANNEL}` })).outcome, 'gone');
    world.route('/feeds/videos.xml', '<html><p>Sorry</p></html>');
    assert.equal((await poll({ url: `https://www.youtube.com/channel/${CHANNEL}` })).outcome, 'malformed');
    world.route('/feeds/videos.xml', '<feed xmlns="http://www.w3.org/2005/Atom"/>');
    const source = { url: `https://www.youtube.com/channel/${CHANNEL}` };
    assert.equal((await poll(source, { stored: 2 })).outcome, 'empty');
    assert.equal((await poll(source)).outcome, 'no_change');
  });
});
