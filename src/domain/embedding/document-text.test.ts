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
  it('has title and body, each fact once and without versions', () => {
    assert.equal(releaseText(RELEASE), 'Acme\nAdded Dark mode');
  });

  it('has what the summary tells of a part of the body that is not read', () => {
    const content = `${'Exports are faster in the web view. '.repeat(30)}\n- The old API is gone`;
    const summary = 'Exports are faster in the web view; The old API is gone';

    assert.match(releaseText({ ...RELEASE, summary, content }) ?? '', /^Acme\nThe old API is gone\nExports are/);
  });

  it('is told by its version where it has nothing else', () => {
    const content = '- #1200, #1201, #1202 (abc1234) (abc1235)';

    assert.equal(releaseText({ title: '2.1.0', version: '2.1.0', summary: '', content }), '2.1.0\n2.1.0');
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
    chunkText({
      headings: ['Changelog', '[2.1.0](https://acme.test/2.1.0) (2026-01-02)', 'Command line', 'Fixed'],
      content,
    }),
    'Command line\nFixed Crash on start',
  );
  assert.equal(chunkText({ headings: [], content: '   \n' }), null);
});

it('the text of an entity has its newest ten titles', () => {
  const titles = ['v1.2.0', ...Array.from({ length: 12 }, (_, index) => `Title ${index}`)];
  const text = entityText({ name: 'Acme CLI', description: 'A tool.', kind: 'cli', category: null, titles });

  assert.deepEqual(text?.split('\n').slice(0, 4), ['Acme CLI', 'A tool.', 'cli', 'Title 0']);
  assert.equal(text?.includes('Title 8'), true);
  assert.equal(text?.includes('Title 9'), false);
});

it('a hash tells texts apart', () => {
  assert.notEqual(textHash('a'), textHash('b'));
  assert.equal(textHash('a').length, 22);
});
