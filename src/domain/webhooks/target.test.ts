import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatRefusal, shownHost, targetKey } from './target.ts';

describe('addresses of chat services', () => {
  const token = 'a.B-9_c';
  for (const [format, url, refusal] of [
    ['json', 'https://hooks.example/x', null],
    ['slack', 'https://hooks.slack.com/services/T0/B0/x', null],
    ['slack', 'https://hooks.slack-gov.com/services/T0/B0/x', null],
    ['slack', 'https://HOOKS.slack.com/anything', null],
    ['slack', 'https://slack.com/services/T0', 'chat_host'],
    ['slack', 'https://hooks.slack.com.evil.example/', 'chat_host'],
    ['slack', 'https://evil.hooks.slack.com/', 'chat_host'],
    ['slack', 'https://hooks.slack.com:8443/services/T0', 'chat_host'],
    ['slack', 'https://hooks.slack.com./services/T0', 'chat_host'],
    ['discord', `https://discord.com/api/webhooks/123/${token}`, null],
    ['discord', `https://discordapp.com/api/webhooks/123/${token}/`, null],
    ['discord', `https://canary.discord.com/api/webhooks/123/${token}?wait=true`, null],
    ['discord', `https://ptb.discord.com/api/webhooks/123/${token}?thread_id=1&wait=1`, null],
    ['discord', `https://www.discord.com/api/webhooks/123/${token}`, 'chat_host'],
    ['discord', 'https://hooks.slack.com/services/T0', 'chat_host'],
    ['discord', `https://discord.com/api/webhooks/123/${token}/slack`, 'chat_path'],
    ['discord', `https://discord.com/api/webhooks/123/${token}/github`, 'chat_path'],
    ['discord', `https://discord.com/api/webhooks/123/${token}//`, 'chat_path'],
    ['discord', `https://discord.com/api/webhooks/12a/${token}`, 'chat_path'],
    ['discord', 'https://discord.com/api/webhooks/123/', 'chat_path'],
    ['discord', 'https://discord.com/api/webhooks/123/a%2Fb', 'chat_path'],
    ['discord', `https://discord.com/api/v10/webhooks/123/${token}`, 'chat_path'],
    ['discord', `https://discord.com/api/webhooks/123/${token}?with_components=1`, 'chat_path'],
    ['discord', 'no address', 'invalid_url'],
  ] as const) {
    it(`${format} ${url}: ${refusal ?? 'fine'}`, () => assert.equal(formatRefusal(format, url), refusal));
  }
});

describe('the name of a receiver', () => {
  for (const [url, key, shown] of [
    ['https://hooks.example/a?b=secret', 'hooks.example:443', 'hooks.example'],
    ['https://Hooks.example.:8443/', 'hooks.example:8443', 'hooks.example.:8443'],
    ['http://127.0.0.1/', '127.0.0.1:80', '127.0.0.1'],
    ['https://[2001:4860::1]/', '[2001:4860::1]:443', '[2001:4860::1]'],
  ] as const) {
    it(url, () => assert.deepEqual([targetKey(url), shownHost(url)], [key, shown]));
  }
});
