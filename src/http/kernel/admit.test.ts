import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCrawler } from './admit.ts';

describe('crawlers', () => {
  const crawlers = [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0)',
    'GPTBot/1.2',
    'Slackbot-LinkExpanding 1.0',
    'facebookexternalhit/1.1',
    'github-camo (d6cd7a07)',
    'Baiduspider',
  ];
  const readers = [
    undefined,
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'curl/8.14.1',
    'registry-cli/1.0 node/26',
    'python-requests/2.32',
  ];
  for (const agent of crawlers) it(agent, () => assert.equal(isCrawler(agent), true));
  for (const agent of readers) it(`a reader: ${agent}`, () => assert.equal(isCrawler(agent), false));
});
