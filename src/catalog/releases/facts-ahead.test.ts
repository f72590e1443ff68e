import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { elementAt } from '../../domain/records.ts';
import { pooledTasks } from '../../threads/documents.ts';
import { FactsAhead, readFacts, type TextBatch } from './text-facts.ts';

const shared: TextBatch['shared'] = { names: ['Acme', 'Lid'], habits: undefined };

function textsOf(count: number): TextBatch['texts'] {
  return Array.from({ length: count }, (_, index) => ({
    title: `v${index}.0.0`,
    content: `### Breaking\n\n- Removed \`open${index}()\`, use \`lift()\` instead\n\n### Fixed\n\n- A crash`,
    version: `${index}.0.0`,
    versionNumbers: [String(index), '0', '0'],
    prerelease: false,
    origin: 'feed',
    type: index % 2 === 0 ? null : 'rollup',
  }));
}

// The thread has answered its first task when it is given the second.
async function answered(since: number): Promise<void> {
  while (pooledTasks() < since + 2) await sleep(5);
}

describe('facts about the texts of a large batch', () => {
  it('come from a thread, the last ones first, and are those that the process itself would read', async () => {
    const since = pooledTasks();
    const texts = textsOf(300);
    const ahead = new FactsAhead({ shared, texts });
    assert.equal(ahead.take(0), undefined);
    await answered(since);
    assert.equal(ahead.take(1), undefined);
    const expected = readFacts({ shared, texts });
    for (let position = 260; position < 300; position += 1) {
      assert.deepEqual(ahead.take(position), expected[position], `text ${position}`);
    }
  });

  it('leave out long texts, which have tasks of their own', async () => {
    const since = pooledTasks();
    const texts = textsOf(300).map((text, index) =>
      index % 10 === 5 ? { ...text, content: text.content.repeat(200) } : text,
    );
    const ahead = new FactsAhead({ shared, texts });
    await answered(since);
    const [before, long, after] = [294, 295, 296].map((position) => ahead.take(position));
    assert.equal(long, undefined);
    const neighbours = [294, 296].map((position) => elementAt(texts, position));
    assert.deepEqual([before, after], readFacts({ shared, texts: neighbours }));
  });

  it('are not asked for where the batch is small', () => {
    const since = pooledTasks();
    const ahead = new FactsAhead({ shared, texts: textsOf(63) });
    assert.deepEqual([ahead.take(62), pooledTasks()], [undefined, since]);
  });
});
