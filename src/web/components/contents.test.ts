import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contents } from './contents.ts';

const part = (name: string) => ({ id: name, name });
const links = (text: string) => [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);

describe('the contents of a text', () => {
  it('are the parts of its only heading, where that is the title of many', () => {
    const versions = Array.from({ length: 30 }, (_, index) => part(`v${index}`));
    const shown = links(String(contents([{ ...part('changelog'), parts: versions }], 'In this part')));
    assert.deepEqual([shown.length, shown[0], shown.at(-1)], [24, 'v0', 'v23']);
  });

  it('keep a heading with few parts', () => {
    const shown = links(String(contents([{ ...part('changes'), parts: [part('a'), part('b')] }], 'In this note')));
    assert.deepEqual(shown, ['changes', 'a', 'b']);
  });
});
