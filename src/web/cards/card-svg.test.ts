import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Card, cardSvg } from './card-svg.ts';
import { cardPicture } from './draw-card.ts';

const card = (rest: Partial<Card> = {}): Card => ({
  level: 'major',
  name: 'widget',
  range: ['1.0.0', '2.0.0'],
  sentence: 'It breaks: `open` is gone',
  line: 'One step to do.',
  foot: 'Registry',
  lanes: [{ name: 'Notes', marks: ['none', 'major'] }],
  ...rest,
});

it('a card escapes and cuts the texts of strangers, and refers to nothing', () => {
  const hostile = `"><image href="https://evil.example/x.png"/>&\u202e${'x'.repeat(500)}`;
  const svg = cardSvg(
    card({ name: hostile, sentence: hostile, line: hostile, foot: hostile, range: [hostile, hostile] }),
  );
  assert.doesNotMatch(svg, /<image|href="|x{61}|\u202e/);
  assert.ok(svg.length < 6_000);
  const many = cardSvg(card({ lanes: [{ name: 'Notes', marks: Array.from({ length: 5_000 }, () => 'none') }] }));
  assert.ok(many.length < 20_000);
});

it('a card is a PNG of 1200 by 630, whatever its texts hold', async () => {
  for (const name of ['widget', '<&">\u0000\ud800', '\u30ea\u30ea\u30fc\u30b9']) {
    const picture = await cardPicture(cardSvg(card({ name, sentence: name })));
    assert.ok(picture, 'the part that draws is installed here');
    const view = new DataView(picture.buffer, picture.byteOffset);
    assert.deepEqual([view.getUint32(0), view.getUint32(16), view.getUint32(20)], [0x89504e47, 1200, 630]);
  }
});
