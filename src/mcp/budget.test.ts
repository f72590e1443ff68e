import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { ApiError } from '../contract/errors.ts';
import { countTokens } from '../domain/tokens/index.ts';
import { type CuttableResult, excerptCut, fit, listCut, MAX_TOKENS, MIN_TOKENS } from './budget.ts';
import { shortened } from './quoting.ts';

interface List {
  items: string[];
  body: string;
}

function draftOf(items: string[], body: string): CuttableResult<List> {
  return {
    value: { items, body },
    cuts: [listCut('items', 1), excerptCut((value, length) => ({ ...value, body: shortened(value.body, length) }))],
    render: (value, cut) => ({ structured: { ...value, cut }, text: `${value.items.join('\n')}\n${value.body}` }),
  };
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `item number ${index}`);

describe('fit', () => {
  it('leaves a result that fits as it is', async () => {
    const { value, cut } = await fit(draftOf(words(3), 'short'), 500);
    assert.deepEqual([value.items.length, value.body, cut], [3, 'short', false]);
  });

  it('drops items from the end, and no more than it must', async () => {
    const { value, structured, cut } = await fit(draftOf(words(400), 'short'), 500);
    assert.deepEqual([value.items[0], value.body, cut], ['item number 0', 'short', true]);
    const more = { ...structured, items: words(value.items.length + 1) };
    assert.ok(countTokens(JSON.stringify(more)) > 500, 'one more item would be too much');
  });

  it('shortens texts once one item is left', async () => {
    const { value } = await fit(draftOf(words(50), 'long words '.repeat(2000)), 500);
    assert.equal(value.items.length, 1);
    assert.match(value.body, /…$/);
  });

  it('says what is needed where nothing more may go', async () => {
    const draft = draftOf(['x'.repeat(8000)], '');
    await assert.rejects(
      () => fit(draft, 500),
      (error) =>
        error instanceof ApiError && /^max_tokens: 500 tokens are too few .* at least \d+$/.test(error.message),
    );
  });

  it('never exceeds the budget, in either part', async () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 400 }), fc.lorem({ maxCount: 60 }));
    const budget = fc.integer({ min: MIN_TOKENS, max: MAX_TOKENS });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 80 }), text, budget, async (items, body, maxTokens) => {
        const { structured, text: shown } = await fit(draftOf(items, body.repeat(20)), maxTokens);
        assert.ok(countTokens(shown) <= maxTokens);
        assert.ok(countTokens(JSON.stringify(structured)) <= maxTokens);
      }),
      { numRuns: 60 },
    );
  });
});
