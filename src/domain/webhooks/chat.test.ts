import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { discordBody, googleChatBody, slackBody, teamsBody } from './chat-bodies.ts';
import { type ChatRelease, chatMessage } from './chat-message.ts';
import { renderIn } from './format.ts';

const RELEASE: ChatRelease = {
  title: 'Faster builds',
  version: '2.1.0',
  publishedAt: '2026-01-02T10:00:00.000Z',
  sourceName: 'Changelog',
  org: { name: 'Acme', avatarUrl: 'https://img.example/acme.png', githubHandle: 'acme' },
  product: { name: 'Builder' },
  webUrl: 'https://registry.example/release/rel_1-faster-builds',
  summary: 'Builds take half the time.',
};
const message = (more: Partial<ChatRelease> = {}) => chatMessage({ ...RELEASE, ...more });
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts.
const slack = (more: Partial<ChatRelease> = {}) => slackBody(message(more)) as any;
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts.
const discord = (more: Partial<ChatRelease> = {}) => discordBody(message(more)) as any;

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts.
const teams = (more: Partial<ChatRelease> = {}) => (teamsBody(message(more)) as any).attachments[0].content;
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts.
const googleChat = (more: Partial<ChatRelease> = {}) => googleChatBody(message(more)) as any;

describe('a chat message', () => {
  const org = { name: 'Acme', avatarUrl: null, githubHandle: null };
  for (const [name, given, expected] of [
    ['the org gives the context', {}, 'Acme'],
    ['without an org the product', { org: null }, 'Builder'],
    ['without both the source', { org: null, product: null }, 'Changelog'],
  ] as const) {
    it(name, () => assert.equal(message(given).context, expected));
  }

  for (const [name, given, expected] of [
    ['own avatar', {}, 'https://img.example/acme.png'],
    ['that of its code host', { org: { ...org, githubHandle: 'acme' } }, 'https://github.com/acme.png'],
    ['a handle is not part of a path', { org: { ...org, githubHandle: '../x' } }, 'https://github.com/..%2Fx.png'],
    ['none', { org }, null],
    ['none without an org', { org: null }, null],
  ] as const) {
    it(`avatar: ${name}`, () => assert.equal(message(given).avatarUrl, expected));
  }

  for (const [title, version, expected] of [
    ['Faster builds', '2.1.0', 'Faster builds 2.1.0'],
    ['Faster builds', null, 'Faster builds'],
    ['v2.1.0', '2.1.0', 'v2.1.0'],
    ['Release 2.1.0: faster', 'v2.1.0', 'Release 2.1.0: faster'],
    ['Release 2.1.0.', '2.1.0', 'Release 2.1.0.'],
    ['Release 12.1.0', '2.1.0', 'Release 12.1.0 2.1.0'],
    ['Since 2.1', '2.1.0', 'Since 2.1 2.1.0'],
    ['2.1.0-rc.1 notes', '2.1.0', '2.1.0-rc.1 notes 2.1.0'],
    ['Two\nlines\u0007', null, 'Two lines'],
  ] as const) {
    it(`title ${JSON.stringify(title)} of ${version}`, () => assert.equal(message({ title, version }).title, expected));
  }

  it('cuts a long summary at a word past 180 characters, 300 in all', () => {
    const words = Array.from({ length: 80 }, () => 'word').join(' ');
    const { summary } = message({ summary: words });
    assert.equal(summary, `${words.slice(0, 299)}…`);
    const spread = `${'a'.repeat(200)} ${'b'.repeat(200)}`;
    assert.equal(message({ summary: spread }).summary, `${'a'.repeat(200)}…`);
    const early = `${'a'.repeat(100)} ${'b'.repeat(300)}`;
    assert.equal(message({ summary: early }).summary, `${early.slice(0, 299)}…`);
    assert.equal(message({ summary: 'a'.repeat(300) }).summary, 'a'.repeat(300));
    assert.equal(message({ summary: `${'a'.repeat(298)}${'😀'.repeat(4)}` }).summary, `${'a'.repeat(298)}…`);
    assert.equal(message({ summary: ' \n ' }).summary, null);
  });
});

describe('Slack', () => {
  it('gets linked title, summary, avatar and date', () => {
    assert.deepEqual(slack(), {
      text: 'Acme — Faster builds 2.1.0',
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '*<https://registry.example/release/rel_1-faster-builds|Faster builds 2.1.0>*\nBuilds take half the time.',
          },
        },
        {
          type: 'context',
          elements: [
            { type: 'image', image_url: 'https://img.example/acme.png', alt_text: 'Acme' },
            { type: 'mrkdwn', text: 'Acme · <!date^1767348000^{date_short_pretty}|2026-01-02>' },
          ],
        },
      ],
    });
  });

  it('gets no date of an undated release, no image and no empty summary', () => {
    const { blocks } = slack({ publishedAt: null, summary: null, org: null });
    assert.equal(blocks[0].text.text, '*<https://registry.example/release/rel_1-faster-builds|Faster builds 2.1.0>*');
    assert.deepEqual(blocks[1].elements, [{ type: 'mrkdwn', text: 'Builder' }]);
  });

  it('contains nothing that a stranger could turn into a command', () => {
    const hostile = '<!channel> & a|b <https://evil.example|x>';
    const body = slack({
      title: hostile,
      version: null,
      summary: hostile,
      org: { name: hostile, avatarUrl: 'https://img.example/a.png', githubHandle: null },
    });
    const text = JSON.stringify(body).replaceAll('<!date^', '').replaceAll('<https://registry.example', '');
    assert.ok(!text.includes('<!') && !text.includes('<https'), text);
    assert.equal(body.text.includes('&lt;!channel&gt; &amp; a|b'), true);
    assert.match(body.blocks[0].text.text, /\|&lt;!channel&gt; &amp; a¦b &lt;https:\/\/evil\.example¦x&gt;>\*/);
    assert.ok(body.blocks[1].elements[0].alt_text.startsWith('&lt;!channel&gt;'));
  });

  it('stays within what Slack takes, however much escaping adds', () => {
    const body = slack({ title: '&'.repeat(500), version: '&'.repeat(200), summary: '&'.repeat(2000) });
    assert.ok(body.blocks[0].text.text.length <= 3000);
  });
});

describe('Discord', () => {
  it('gets an embed, and nobody is called', () => {
    assert.deepEqual(discord(), {
      content: 'Acme — Faster builds 2.1.0',
      embeds: [
        {
          title: 'Faster builds 2.1.0',
          url: 'https://registry.example/release/rel_1-faster-builds',
          description: 'Builds take half the time.',
          color: 5793266,
          author: { name: 'Acme', icon_url: 'https://img.example/acme.png' },
          timestamp: '2026-01-02T10:00:00.000Z',
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  it('leaves out what is not known, and cuts a long title', () => {
    const { embeds } = discord({ publishedAt: null, summary: null, org: null, title: 'x'.repeat(500) });
    assert.deepEqual(Object.keys(embeds[0]), ['title', 'url', 'color', 'author']);
    assert.deepEqual(embeds[0].author, { name: 'Builder' });
    assert.equal(embeds[0].title, `${'x'.repeat(255)}…`);
  });
});

const BARE = { publishedAt: null, summary: null, org: null };
const hostileOrg = (name: string) => ({ name, avatarUrl: null, githubHandle: null });

describe('Teams', () => {
  it('gets an Adaptive Card with picture, title, owner, date, summary and a link', () => {
    const run = (text: string, more = {}) => ({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text, ...more }],
    });
    const texts = [
      run('Faster builds 2.1.0', { weight: 'Bolder', size: 'Medium' }),
      run('Acme · 2026-01-02', { isSubtle: true }),
    ];
    const picture = { type: 'Image', url: 'https://img.example/acme.png', altText: 'Acme', size: 'Small' };
    assert.deepEqual(teamsBody(message()), {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            fallbackText: 'Acme — Faster builds 2.1.0',
            body: [
              {
                type: 'ColumnSet',
                columns: [
                  { type: 'Column', width: 'auto', items: [picture] },
                  { type: 'Column', width: 'stretch', items: texts },
                ],
              },
              run('Builds take half the time.'),
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Read the notes', url: RELEASE.webUrl }],
          },
        },
      ],
    });
  });

  it('gets one column and no empty block where nothing is known', () => {
    const { body } = teams(BARE);
    assert.deepEqual([body.length, body[0].columns.length], [1, 1]);
    assert.equal(body[0].columns[0].items[1].inlines[0].text, 'Builder');
  });

  it('reads neither Markdown nor functions in texts of strangers', () => {
    const hostile = '[x](https://evil.example) {{DATE(2026-01-01T00:00:00Z)}} {{time(now)}} {{name}}';
    const card = teams({ title: hostile, summary: hostile, org: hostileOrg(hostile) });
    const text = JSON.stringify(card);
    assert.ok(!text.includes('"TextBlock"'), 'only runs, which are shown as they are');
    assert.ok(!/\{\{(?:date|time)/i.test(text) && text.includes('{{name}}'), text);
  });
});

describe('Google Chat', () => {
  it('gets a line for the notification, and a card', () => {
    assert.deepEqual(googleChat(), {
      text: 'Acme — Faster builds 2.1.0',
      cardsV2: [
        {
          cardId: 'release',
          card: {
            header: {
              title: 'Faster builds 2.1.0',
              subtitle: 'Acme · 2026-01-02',
              imageUrl: 'https://img.example/acme.png',
              imageType: 'CIRCLE',
              imageAltText: 'Acme',
            },
            sections: [
              {
                widgets: [
                  { textParagraph: { text: 'Builds take half the time.' } },
                  {
                    buttonList: {
                      buttons: [{ text: 'Read the notes', onClick: { openLink: { url: RELEASE.webUrl } } }],
                    },
                  },
                ],
              },
            ],
          },
        },
      ],
    });
  });

  it('gets neither picture, date nor empty paragraph where nothing is known', () => {
    const [{ card }] = googleChat(BARE).cardsV2;
    assert.deepEqual(card.header, { title: 'Faster builds 2.1.0', subtitle: 'Builder' });
    assert.equal(card.sections[0].widgets.length, 1);
  });

  it('contains nothing that a stranger could turn into a mention or a link', () => {
    const hostile = '<users/all> & <a href="https://evil.example">x</a>';
    const body = googleChat({ title: hostile, version: null, summary: hostile, org: hostileOrg(hostile) });
    assert.ok(!/[<>]/.test(JSON.stringify(body)), JSON.stringify(body));
    assert.match(body.cardsV2[0].card.sections[0].widgets[0].textParagraph.text, /^&lt;users\/all&gt; &amp; &lt;a/);
  });
});

describe('plain text', () => {
  const text = (more: Partial<ChatRelease> = {}) =>
    renderIn('text', JSON.stringify({ id: 'evt_1', release: { ...RELEASE, ...more } }));

  it('has title and link in headers, summary and link in the body', () => {
    assert.deepEqual(text(), {
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        'X-Title': 'Acme: Faster builds 2.1.0',
        'X-Click': RELEASE.webUrl,
      },
      body: `Builds take half the time.\n${RELEASE.webUrl}\n`,
    });
    assert.equal(text({ summary: null }).body, `Faster builds 2.1.0\n${RELEASE.webUrl}\n`);
    assert.equal(text({ webUrl: 'https://registry.example/release/é' }).headers['X-Click']?.endsWith('%C3%A9'), true);
  });

  for (const title of [
    'Grüße',
    '日本語'.repeat(40),
    '😀'.repeat(60),
    '=?UTF-8?Q?x?=',
    'A\r\nX-Evil: 1\u0000',
    '\ud800',
  ]) {
    it(`a title ${JSON.stringify(title.slice(0, 20))} stays within its header`, () => {
      const header = text({ title, version: null }).headers['X-Title'] ?? '';
      assert.match(header, /^[ -~]+$/);
      if (!header.startsWith('=?')) return assert.equal(header, 'Acme: A X-Evil: 1');
      const words = header.split(' ');
      assert.ok(words.every((word) => word.length <= 75 && /^=\?UTF-8\?B\?[\w+/]+=*\?=$/.test(word)));
      const decoded = words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString()).join('');
      assert.equal(decoded, `Acme: ${title}`.toWellFormed());
      for (const word of words)
        assert.ok(!Buffer.from(word.slice(10, -2), 'base64').toString().includes('\ufffd') || title === '\ud800');
    });
  }
});

describe('formats', () => {
  it('leave the bytes of the event alone, or make a message of them', () => {
    const payload = JSON.stringify({ id: 'evt_1', release: RELEASE });
    const json = { 'Content-Type': 'application/json' };
    assert.deepEqual(renderIn('json', payload), { headers: json, body: payload });
    for (const [format, body] of [
      ['slack', slack()],
      ['discord', discord()],
      ['teams', teamsBody(message())],
      ['google_chat', googleChat()],
    ] as const) {
      const rendered = renderIn(format, payload);
      assert.deepEqual([rendered.headers, JSON.parse(rendered.body)], [json, body]);
    }
  });
});
