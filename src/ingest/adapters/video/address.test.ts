import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runningTime } from './adapter.ts';
import { readVideoAddress } from './address.ts';
import { parseOembed } from './oembed.ts';

describe('video addresses', () => {
  const listings: [address: string, provider: string, feed: string | null, page?: string][] = [
    ['https://www.youtube.com/playlist?list=PLabc_-1', 'youtube', '/feeds/videos.xml?playlist_id=PLabc_-1'],
    ['https://www.youtube.com/watch?v=abc&list=PLabc', 'youtube', '/feeds/videos.xml?playlist_id=PLabc'],
    [
      'https://youtube.com/channel/UCabcdefghijklmnopqrstuv/videos',
      'youtube',
      '/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrstuv',
    ],
    [
      'https://www.youtube.com/feeds/videos.xml?channel_id=UCabcdefghij',
      'youtube',
      '/feeds/videos.xml?channel_id=UCabcdefghij',
    ],
    ['https://www.youtube.com/@kettle/videos', 'youtube', null, '/@kettle'],
    ['https://m.youtube.com/c/Kettle', 'youtube', null, '/c/Kettle'],
    ['https://www.youtube.com/user/kettle', 'youtube', null, '/user/kettle'],
    ['https://vimeo.com/kettle', 'vimeo', '/kettle/videos/rss'],
    ['https://vimeo.com/user123/videos', 'vimeo', '/user123/videos/rss'],
    ['https://vimeo.com/channels/kettle/', 'vimeo', '/channels/kettle/videos/rss'],
    ['https://vimeo.com/showcase/4567', 'vimeo', '/showcase/4567/videos/rss'],
    ['https://kettle.wistia.com/projects/ab12', 'wistia', null],
    ['https://fast.wistia.com/embed/channel/ab12', 'wistia', null],
  ];
  for (const [address, provider, feed, page] of listings) {
    it(address, () => {
      const read = readVideoAddress(address);
      assert.ok(read?.kind === 'listing');
      assert.deepEqual([read.provider, read.feed], [provider, feed]);
      if (page) assert.equal(read.page, page);
    });
  }

  const singles = [
    'https://www.youtube.com/watch?v=abc',
    'https://youtu.be/abc',
    'https://www.youtube.com/shorts/abc',
    'https://www.youtube.com/live/abc',
    'https://vimeo.com/123456',
    'https://vimeo.com/123456/abcdef',
    'https://vimeo.com/channels/kettle/123456',
    'https://vimeo.com/showcase/4567/video/123456',
    'https://player.vimeo.com/video/123456',
    'https://kettle.wistia.com/medias/ab12',
    'https://fast.wistia.net/embed/iframe/ab12',
  ];
  for (const address of singles)
    it(`${address} is a single video`, () => assert.equal(readVideoAddress(address)?.kind, 'single'));

  const others = [
    'https://kettle.example/@x',
    'https://www.youtube.com/',
    'https://vimeo.com/features',
    'https://wistia.com/pricing',
    'ftp://youtube.com/@x',
    'x',
  ];
  for (const address of others) it(`${address} is none`, () => assert.equal(readVideoAddress(address), null));
});

describe('facts about a video', () => {
  it('poster, title and length', () => {
    const text = JSON.stringify({ thumbnail_url: 'https://i.example/p.jpg', title: ' T ', duration: 205.4 });
    assert.deepEqual(parseOembed(text), { poster: 'https://i.example/p.jpg', title: 'T', seconds: 205.4 });
  });

  it('none of them', () => {
    assert.deepEqual(parseOembed('{"thumbnail_url":"javascript:x","duration":null}'), {
      poster: null,
      title: null,
      seconds: null,
    });
    assert.equal(parseOembed('no'), null);
  });

  const times: [seconds: number, text: string][] = [
    [5, '0:05'],
    [205.4, '3:25'],
    [3725, '1:02:05'],
  ];
  for (const [seconds, text] of times) it(text, () => assert.equal(runningTime(seconds), text));
});
