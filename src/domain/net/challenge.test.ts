import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isChallengePage } from './challenge.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

function page(title: string, body: string, head = ''): string {
  return `<!DOCTYPE html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

describe('challenge pages', () => {
  const challenges: [name: string, text: string, headers?: Record<string, string>][] = [
    ['header alone', '', { 'cf-mitigated': 'challenge' }],
    ['title: Just a moment', page('Just a moment...', '')],
    ['title: Attention Required', page('Attention Required! | Cloudflare', '<h1>Sorry</h1>')],
    ['title: Access denied', page('\n Access Denied \n', '<p>You have no permission</p>')],
    ['title: Pardon Our Interruption', page('Pardon Our Interruption', '')],
    ['asks to verify', page('acme.dev', '<p>Verify you are <b>human</b> by completing the action below.</p>')],
    ['asks to confirm', page('acme.dev', '<p>Press &amp; Hold to confirm you are a human (and not a bot).</p>')],
    ['checks the browser', page('acme.dev', '<noscript>Checking your browser before accessing acme.dev</noscript>')],
    ['needs script and cookies', page('acme.dev', 'Please enable JS and disable any ad blocker')],
    ['script host', page('acme.dev', '<SCRIPT SRC="https://ct.captcha-delivery.com/c.js"></SCRIPT>')],
    ['script path', page('acme.dev', '', '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/x"></script>')],
    ['long scripts are not visible', page('Just a moment...', `<script>${'x '.repeat(5000)}</script>`)],
    ['hidden styles are not visible', page('Just a moment...', `<style>${'x '.repeat(5000)}</style><p>ok</p>`)],
    ['no content type', page('Just a moment...', ''), {}],
  ];
  for (const [name, text, headers = HTML] of challenges) {
    it(name, () => assert.equal(isChallengePage({ headers, text }), true));
  }

  const ordinary: [name: string, text: string, headers?: Record<string, string>][] = [
    ['a short page', page('Changelog', '<p>1.0.0</p>')],
    ['a long page with such a title', page('Just a moment...', 'word '.repeat(400))],
    ['a long page behind the header', page('Changelog', 'word '.repeat(400)), { ...HTML, 'cf-mitigated': 'challenge' }],
    ['a page full of tags', page('Just a moment...', '<b></b>'.repeat(5_000))],
    ['a title that begins otherwise', page('How we fixed "Access denied"', '<p>Notes</p>')],
    [
      'script that every page of a zone holds',
      page('x', '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js">'),
    ],
    ['a form with reCAPTCHA', page('x', '<script src="https://www.google.com/recaptcha/api.js"></script>')],
    ['a link to a vendor', page('x', '<a href="https://www.hcaptcha.com/">we use it</a>')],
    ['a text file', '## 1.0.1\n- Verify you are human page fixed', { 'content-type': 'text/markdown' }],
    ['JSON', '{"title":"Just a moment","message":"verify you are human"}', { 'content-type': 'application/json' }],
    ['a feed', '<rss><channel><title>Just a moment</title></channel></rss>', { 'content-type': 'application/rss+xml' }],
    ['nothing', ''],
  ];
  for (const [name, text, headers = HTML] of ordinary) {
    it(`not: ${name}`, () => assert.equal(isChallengePage({ headers, text }), false));
  }

  for (const part of ['<script', '<!--', '<', '<a ', '<title>', '<script></script>', '</', '&nbsp;']) {
    it(`comes to an end on a megabyte of ${part}`, () => {
      const text = `<html>${part.repeat(1_000_000 / part.length)}`;
      assert.equal(isChallengePage({ headers: HTML, text }), false);
    });
  }
});
