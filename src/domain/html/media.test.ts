import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyMedia, isMediaFile, MAX_MEDIA, mediaType, selectMedia, unwrapImage } from './media.ts';

const ADDRESS = 'https://acme.dev/blog/';

function urls(html: string): string[] {
  return bodyMedia(html, { address: ADDRESS }).map(({ url }) => url);
}

describe('media of a body', () => {
  it('pictures and films, absolute', () => {
    assert.deepEqual(
      bodyMedia('<p><img src="a.png" alt=" A  b "><video src="/v.webm"></video><img src="/c.gif"></p>', {
        address: ADDRESS,
      }),
      [
        { type: 'image', url: 'https://acme.dev/blog/a.png', alt: 'A b' },
        { type: 'video', url: 'https://acme.dev/v.webm' },
        { type: 'gif', url: 'https://acme.dev/c.gif' },
      ],
    );
  });

  it('the link around a picture', () => {
    const [media] = bodyMedia('<p><a href="/full"><img src="/a.png"></a></p>', { address: ADDRESS });
    assert.deepEqual(media, { type: 'image', url: 'https://acme.dev/a.png', linkUrl: 'https://acme.dev/full' });
  });

  it('of markdown', () => {
    const text =
      '![A](https://x.dev/a.png "t") [![B](https://x.dev/b.png)](https://x.dev/) <img src="https://x.dev/c.png">';
    assert.deepEqual(bodyMedia(text), [
      { type: 'image', url: 'https://x.dev/a.png', alt: 'A' },
      { type: 'image', url: 'https://x.dev/b.png', alt: 'B', linkUrl: 'https://x.dev/' },
      { type: 'image', url: 'https://x.dev/c.png' },
    ]);
  });

  it('each once, and at most twelve', () => {
    const many = Array.from({ length: 40 }, (_, index) => `<img src="/${index % 20}.png">`).join('');
    assert.equal(urls(`<p>${many}</p>`).length, MAX_MEDIA);
  });

  it('nothing that is hidden', () => assert.deepEqual(urls('<div hidden><img src="/a.png"></div><p>x</p>'), []));
});

describe('media that is dropped', () => {
  const dropped = [
    '<img src="data:image/png;base64,AA==">',
    '<img src="ftp://x.dev/a.png">',
    '<img src="/favicon.png">',
    '<img src="/apple-touch-icon-180.png">',
    '<img src="/x.ico">',
    '<img src="https://www.google.com/s2/favicons?domain=x">',
    '<img src="https://secure.gravatar.com/x?s=80">',
    '<img src="https://avatars.githubusercontent.com/u/1?v=4">',
    '<img src="/users/avatars/1.png">',
    '<img class="author-avatar" src="/jo.png">',
    '<img class="wp-smiley" src="/x.png">',
    '<img src="https://s.w.org/images/core/emoji/14/72x72/1f389.png">',
    '<img src="https://github.githubassets.com/images/icons/emoji/tada.png">',
    '<img src="https://img.shields.io/npm/v/x.svg">',
    '<img src="https://github.com/a/b/workflows/CI/badge.svg">',
    '<img src="https://codecov.io/gh/a/b/branch/main/graph/badge.svg">',
    '<img src="https://x.dev/a.png" width="1" height="1">',
    '<img src="https://feeds.feedburner.com/~r/x/~4/y">',
    '<img src="https://x.dev/pixel.gif?u=1">',
    '<img src="https://medium.com/_/stat?event=post">',
  ];
  for (const html of dropped) it(html, () => assert.deepEqual(urls(`<p>${html}</p>`), []));

  const kept = ['/emoji-picker.png', '/badger.png', '/openapi.png', '/tracking-plan.png', '/release-update.gif'];
  for (const path of kept) {
    it(`${path} stays`, () => assert.deepEqual(urls(`<p><img src="${path}"></p>`), [`https://acme.dev${path}`]));
  }
});

describe('proxies of image optimisers', () => {
  const real = 'https://cdn.dev/a/b.png';
  const encoded = encodeURIComponent(real);
  const rows: [wrapped: string, expected: string][] = [
    [`https://x.dev/_next/image?url=${encoded}&w=640&q=75`, real],
    ['https://x.dev/docs/_next/image?url=%2Fi%2Fa.png&w=640', 'https://x.dev/i/a.png'],
    [`https://x.dev/_vercel/image?url=${encoded}`, real],
    [`https://x.dev/.netlify/images?url=${encoded}`, real],
    [`https://x.dev/_gatsby/image/abc/def/b.png?u=${encoded}&a=w`, real],
    ['https://x.dev/cdn-cgi/image/width=640,quality=75/i/a.png', 'https://x.dev/i/a.png'],
    [`https://x.dev/cdn-cgi/image/width=640/${real}`, real],
    ['https://x.dev/_ipx/w_640/i/a.png', 'https://x.dev/i/a.png'],
    ['https://i2.wp.com/x.dev/wp/a.png?resize=640', 'https://x.dev/wp/a.png'],
    ['https://wsrv.nl/?url=cdn.dev/a/b.png&w=640', real],
    [`https://res.cloudinary.com/x/image/fetch/w_640,f_auto/${real}`, real],
    [`https://substackcdn.com/image/fetch/w_640/${encoded}`, real],
    [`https://camo.githubusercontent.com/${'ab'.repeat(32)}/${Buffer.from(real).toString('hex')}`, real],
    [`https://x.dev/_next/image?url=${encodeURIComponent(`https://y.dev/_vercel/image?url=${encoded}`)}`, real],
    ['https://x.dev/_next/image?url=javascript:x', 'https://x.dev/_next/image?url=javascript:x'],
    [real, real],
  ];
  for (const [wrapped, expected] of rows) it(wrapped, () => assert.equal(unwrapImage(wrapped), expected));

  it('are judged by what they wrap', () => {
    assert.deepEqual(selectMedia([{ url: 'https://x.dev/_next/image?url=%2Ffavicon.png' }]), []);
  });
});

describe('type of a medium', () => {
  const rows: [url: string, type: string][] = [
    ['https://x.dev/a.gif?x=1', 'gif'],
    ['https://x.dev/a.MP4', 'video'],
    ['https://x.dev/a.webm', 'video'],
    ['https://x.dev/a.mov#t=1', 'video'],
    ['https://x.dev/a.png', 'image'],
    ['https://x.dev/a?format=gif', 'image'],
  ];
  for (const [url, type] of rows) it(`${url}: ${type}`, () => assert.equal(mediaType(url), type));

  const files: [url: string, mime: string | undefined, is: boolean][] = [
    ['https://x.dev/a', 'image/png', true],
    ['https://x.dev/a', 'video/mp4', true],
    ['https://x.dev/a.png', undefined, true],
    ['https://x.dev/a.png', 'audio/mpeg', false],
    ['https://x.dev/a.mp3', undefined, false],
    ['https://x.dev/a.zip', 'application/octet-stream', false],
  ];
  for (const [url, mime, is] of files) it(`${url} of ${mime}: ${is}`, () => assert.equal(isMediaFile(url, mime), is));
});
