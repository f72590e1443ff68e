import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contents } from './contents.ts';

const part = (name: string) => ({ id: name, name });
const links = (text: string) => [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);

describe('the contents of a text', () => {
  it('are the parts of its only heading, where that is the title of many', () => {
    const versions = Array.from({ length: 30 }, (_, index) => part(`v${index}`));
    const text = String(contents([{ ...part('changelog'), parts: versions }], 'In this part'));
    const [shown = '', folded = ''] = text.split('<details');
    assert.deepEqual([links(shown).length, links(shown)[0], links(shown).at(-1)], [24, 'v0', 'v23']);
    assert.match(folded, /6 more<\/summary>/);
    assert.deepEqual([links(folded).length, links(folded).at(-1)], [6, 'v29']);
  });

  for (const [name, told] of [
    ['10.4.0 (2026-11-07)', '10.4.0'],
    ['[1.2.0] - 2024-05-01', '[1.2.0]'],
    ['2026-11-07', '2026-11-07'],
    ['2.0', '2.0'],
  ]) {
    it(`names ${name} as ${told}`, () => {
      const text = String(
        contents(
          [part(name ?? ''), part('other')].map((one) => ({ ...one, parts: [] })),
          'In it',
        ),
      );
      assert.ok(text.includes(`>${told}</a>`), text);
    });
  }

  it('keep a heading with few parts', () => {
    const shown = links(String(contents([{ ...part('changes'), parts: [part('a'), part('b')] }], 'In this note')));
    assert.deepEqual(shown, ['changes', 'a', 'b']);
  });
});
