// Of a file over 10 MiB only the part that will be stored is downloaded.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { truncateToNewest } from '../../domain/changelog/truncate-newest.ts';
import { downloadFile } from './download.ts';
import { type Repository, startRepository } from './repository.fixture.ts';

const MIB = 1024 * 1024;
const COUNT = 1000;
const FIRST_PART = 'bytes=0-4259839';
const LAST_PART = 'bytes=-4259840';

// No words, because each would be indexed, and wide characters where a download ends, which cuts one of them.
const filler = (number: number) => `${number > 600 && number < 630 ? '——————' : '=================='} `.repeat(571);
const entry = (number: number) => `## 1.${number}.0\n\n- ÄÄ ${filler(number)}\n\n`;
const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
const rising = numbers.map(entry).join('');
const falling = numbers.toReversed().map(entry).join('');
const size = Buffer.byteLength(rising);

function assertWhole(content: string): void {
  assert.ok(Buffer.byteLength(content) <= 4 * MIB);
  assert.match(content, /^## 1\.\d+\.0\n/);
  assert.match(content, /\n\n$/);
  assert.ok(!content.includes('\ufffd'));
}

const ranges = ({ world }: Repository) => world.requests.flatMap(({ headers }) => headers.range ?? []);

describe('downloading a file over 10 MiB', () => {
  let repository: Repository;
  before(async () => {
    repository = await startRepository();
  });
  after(() => repository.world.close());
  beforeEach(() => {
    repository.world.requests.length = 0;
  });

  async function download(text: string) {
    repository.put('CHANGELOG.md', text);
    const { world } = repository;
    const file = { rawUrl: `${world.url}/acme/engine/HEAD/CHANGELOG.md`, hash: 'a'.repeat(40), size };
    const result = await downloadFile(world.context(), file);
    assert.ok(result.kind === 'text');
    assert.deepEqual([result.hash, result.bytes], [file.hash, size]);
    return { ...result, ...truncateToNewest(result.text) };
  }

  it('has texts that a download cuts inside of a character', () => {
    assert.ok(size > 10 * MIB);
    for (const end of [Buffer.from(falling).subarray(4_259_840), Buffer.from(rising).subarray(-4_259_840)]) {
      assert.equal((end[0] as number) & 0xc0, 0x80);
    }
  });

  it('asks for the beginning of one whose newest entry is its first', async () => {
    const { content, startsAt } = await download(falling);
    assert.deepEqual(ranges(repository), [FIRST_PART]);
    assertWhole(content);
    assert.match(content, /^## 1\.1000\.0\n/);
    assert.equal(startsAt, 0);
  });

  it('asks for the end of one whose newest entry is its last', async () => {
    const { text, content, startsAt } = await download(rising);
    assert.deepEqual(ranges(repository), [FIRST_PART, LAST_PART]);
    assertWhole(content);
    assert.match(content, /\n## 1\.1000\.0\n[^#]*$/);
    assert.equal(startsAt, size - Buffer.byteLength(text));
  });
});

forEachEngine('a stored file over 10 MiB', (engine) => {
  let repository: Repository;
  before(async () => {
    repository = await startRepository();
  });
  after(() => repository.world.close());

  it('is its newest part, and says how much was cut', async () => {
    // Of the second one the host has only the end, because its text is not what counts here.
    const end = '## 1.1.0\n\n- One\n\n## 1.2.0\n\n- Two\n\n';
    repository.put('CHANGELOG.md', falling);
    repository.put('HISTORY.md', end, { size: 11 * MIB });
    const { refresh, slice } = await repository.openSource(engine);

    const result = await refresh();
    const [newest, oldest] = [await slice('CHANGELOG.md'), await slice('HISTORY.md')];

    assert.deepEqual([result.outcome, result.failed], ['success', []]);
    assert.deepEqual(ranges(repository), [FIRST_PART, FIRST_PART, LAST_PART]);
    assertWhole(newest.content);
    assert.match(newest.content, /^## 1\.1000\.0\n/);
    assert.deepEqual([newest.bytes, newest.truncated, newest.truncatedAt], [size, true, newest.content.length]);
    assert.equal(oldest.content, end);
    assert.deepEqual([oldest.bytes, oldest.truncated, oldest.truncatedAt], [11 * MIB, true, 11 * MIB - end.length]);
  });
});
