import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chatAddressRule, formatRefusal, shownHost, targetKey } from './target.ts';

const WORKFLOW =
  '/workflows/0a1b/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=s';
const SPACE = '/v1/spaces/AAA-_1/messages?key=k&token=t';

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
    ['teams', `https://prod-23.westeurope.logic.azure.com:443${WORKFLOW}`, null],
    ['teams', `https://a1.09.environment.api.powerplatform.com/powerautomate/automations/direct${WORKFLOW}`, null],
    ['teams', `https://logic.azure.com${WORKFLOW}`, 'chat_host'],
    ['teams', `https://x.logic.azure.com.evil.example${WORKFLOW}`, 'chat_host'],
    ['teams', `https://evillogic.azure.com${WORKFLOW}`, 'chat_host'],
    ['teams', `https://x.logic.azure.com:8443${WORKFLOW}`, 'chat_host'],
    ['teams', 'https://acme.webhook.office.com/webhookb2/a/IncomingWebhook/b/c', 'chat_host'],
    ['teams', `https://x.logic.azure.com${WORKFLOW.replace('&sig=s', '')}`, 'chat_path'],
    ['teams', `https://x.logic.azure.com/subscriptions${WORKFLOW}`, 'chat_path'],
    ['teams', 'https://x.logic.azure.com/?sig=s', 'chat_path'],
    ['google_chat', `https://chat.googleapis.com${SPACE}`, null],
    ['google_chat', `https://chat.googleapis.com${SPACE}&threadKey=a&messageReplyOption=b`, null],
    ['google_chat', `https://www.chat.googleapis.com${SPACE}`, 'chat_host'],
    ['google_chat', `https://chat.googleapis.com${SPACE}&uploadType=media`, 'chat_path'],
    ['google_chat', 'https://chat.googleapis.com/v1/spaces/AAA/messages?key=k', 'chat_path'],
    ['google_chat', `https://chat.googleapis.com${SPACE.replace('messages', 'members')}`, 'chat_path'],
    ['text', 'https://ntfy.example/releases?auth=x', null],
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

describe('the rule of an address in words', () => {
  for (const [format, rule] of [
    ['slack', 'its host must be hooks.slack.com or hooks.slack-gov.com'],
    [
      'teams',
      'its host must be one below logic.azure.com or one below environment.api.powerplatform.com, and its path is …/workflows/{id}/triggers/manual/paths/invoke with sig',
    ],
    [
      'google_chat',
      'its host must be chat.googleapis.com, and its path is /v1/spaces/{space}/messages with key and token',
    ],
  ] as const) {
    it(format, () => assert.equal(chatAddressRule(format), rule));
  }
});
