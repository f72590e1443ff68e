import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chunkText, entityText, releaseText, textHash } from './document-text.ts';

const RELEASE = {
  title: 'Acme 2.1.0',
  version: '2.1.0',
  summary: 'Added dark mode',
  content: '### Added\n- Dark mode',
};

describe('the text of a release', () => {
  it('has title, version, summary and the plain beginning of the body', () => {
    assert.equal(releaseText(RELEASE), 'Acme 2.1.0\n2.1.0\nAdded dark mode\nAdded Dark mode');
  });

  it('ends with whole words, whatever the body holds', () => {
    const text = releaseText({ ...RELEASE, content: 'Exports are faster. '.repeat(500) }) ?? '';

    assert.ok(text.length < 1_100);
    assert.match(text, /(?:Exports|are|faster\.?)$/);
  });

  const empty: [title: string, version: string | null, embedded: boolean][] = [
    ['v2.1.0', '2.1.0', false],
    ['Release 2.1.0', '2.1.0', false],
    ['Dark mode', null, false],
    ['Dark mode for dashboards', null, true],
  ];
  for (const [title, version, embedded] of empty) {
    it(`an empty body under "${title}" is ${embedded ? 'embedded by its title' : 'left out'}`, () => {
      assert.equal(releaseText({ title, version, summary: '', content: '' }) !== null, embedded);
    });
  }
});

it('the text of a chunk stands under its headings', () => {
  const content = '### Fixed\n- Crash on `start`';

  assert.equal(
    chunkText({ headings: ['Changelog', '2.1.0', 'Fixed'], content }),
    'Changelog / 2.1.0 / Fixed\nFixed Crash on start',
  );
  assert.equal(chunkText({ headings: [], content: '   \n' }), null);
});

it('the text of an entity has its newest ten titles', () => {
  const titles = Array.from({ length: 12 }, (_, index) => `Title ${index}`);
  const text = entityText({ name: 'Acme CLI', description: 'A tool.', kind: 'cli', category: null, titles });

  assert.deepEqual(text?.split('\n').slice(0, 4), ['Acme CLI', 'A tool.', 'cli', 'Title 0']);
  assert.equal(text?.includes('Title 9'), true);
  assert.equal(text?.includes('Title 10'), false);
});

it('a hash tells texts apart', () => {
  assert.notEqual(textHash('a'), textHash('b'));
  assert.equal(textHash('a').length, 22);
});
