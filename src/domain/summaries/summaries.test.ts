import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { falseCitations, type OverviewMaterial, planOverview, writeOverviewText } from './overview.ts';
import { periodSummary, quietSummary } from './period-summary.ts';
import { type SummarizedRelease, statementsOf } from './statements.ts';

let made = 0;
function release(fields: Partial<SummarizedRelease> = {}): SummarizedRelease {
  made += 1;
  return {
    id: `rel_${made}`,
    title: 'v1.0.0',
    content: '- Added dark mode (#12)',
    version: '1.0.0',
    breaking: 'none',
    importance: 3,
    feedAt: '2026-01-01T00:00:00.000Z',
    names: ['Acme'],
    ...fields,
  };
}

describe('statements of a release', () => {
  const table: [string, Partial<SummarizedRelease>, string[]][] = [
    ['entries, cleaned', {}, ['Added dark mode']],
    [
      'the weightiest first',
      { content: '- Fixed a crash\n- Added hooks\n### Removed\n- The old parser' },
      ['The old parser', 'Added hooks', 'Fixed a crash'],
    ],
    [
      'a title that says something before them',
      { title: 'Acme 2: Faster sync for teams' },
      ['Faster sync for teams', 'Added dark mode'],
    ],
    ['nothing of a title that only counts', { title: 'Weekly update #38' }, ['Added dark mode']],
    ['nothing of a bare title and an empty body', { content: '' }, []],
    ['no boilerplate', { content: '- Bug fixes and performance improvements' }, []],
    [
      'the first sentence of a long entry',
      { content: `- Added the thing. ${'And so on and on. '.repeat(30)}` },
      ['Added the thing'],
    ],
    ['no entry that is one endless sentence', { content: `- Added ${'x '.repeat(300)}` }, []],
    ['each only once', { content: '- Added dark mode\n- added dark mode' }, ['Added dark mode']],
  ];
  for (const [name, fields, texts] of table) {
    it(name, () => {
      const statements = statementsOf(release(fields));
      assert.deepEqual(
        statements.map(({ text }) => text),
        texts,
      );
    });
  }
});

function material(groups: Record<string, SummarizedRelease[]>): OverviewMaterial {
  const releases = Object.values(groups).flat();
  return {
    name: 'Acme',
    windowDays: 30,
    total: {
      releases: releases.length,
      breaking: releases.filter(({ breaking }) => breaking === 'major').length,
      products: Object.keys(groups).length,
      sources: 0,
    },
    groups: Object.entries(groups).map(([name, releases]) => ({ key: name, name, releases })),
  };
}

function write(from: OverviewMaterial) {
  const paragraphs = planOverview(from);
  assert.ok(paragraphs);
  return writeOverviewText(from, paragraphs);
}

describe('overview', () => {
  it('opens with counts and tells each product, the weightiest first', () => {
    const from = material({
      CLI: [
        release({ version: '1.1.0', feedAt: '2026-01-02T00:00:00.000Z' }),
        release({ version: '1.0.9', content: '- Fixed a crash on start' }),
      ],
      Server: [
        release({ version: '3.0.0', importance: 5, breaking: 'major', content: '### Removed\n- The `old` flag' }),
      ],
    });

    const { content, citations } = write(from);

    assert.equal(
      content,
      'Acme published 3 releases across 2 products in the last 30 days, 1 of them with breaking changes.\n\n' +
        '**Server**: Removed: The old flag.\n\n**CLI**: Added dark mode (1.1.0). Fixed a crash on start (1.0.9).',
    );
    assert.deepEqual(
      citations.map(({ startIndex, endIndex, citedText }) => [content.slice(startIndex, endIndex), citedText]),
      [
        ['The old flag', 'The `old` flag'],
        ['Added dark mode', 'Added dark mode (#12)'],
        ['Fixed a crash on start', 'Fixed a crash on start'],
      ],
    );
  });

  it('tells what a list of fixes names as fixed, beside the citation', () => {
    const content =
      '### Bug fixes\n- The editor hangs because the font is read twice\n- No crash without a home folder';
    const from = material({ CLI: [release({ content })] });
    const paragraphs = planOverview(from) ?? [];
    const told = 'Fixed: The editor hangs because the font is read twice. No crash without a home folder.';
    assert.ok(write(from).content.endsWith(`: ${told}`), write(from).content);
    for (const { startIndex, endIndex, citedText } of write(from).citations)
      assert.equal(write(from).content.slice(startIndex, endIndex), citedText);

    const [first] = paragraphs.flatMap(({ statements }) => statements);
    assert.ok(first);
    const reworded = new Map([[first, 'Fixed a hang of the editor']]);
    assert.match(writeOverviewText(from, paragraphs, reworded).content, /: Fixed a hang of the editor\. /);
    const summary = periodSummary({ count: 1, versions: ['1.0.0'], releases: [release({ content })] });
    assert.match(summary, /Fixed: The editor hangs because the font is read twice; No crash/);
  });

  it('counts the whole window, and what it calls breaking is', () => {
    const from = material({ CLI: [release({ breaking: 'minor' })] });
    const opening = (total: OverviewMaterial['total']) => write({ ...from, total }).content.split('\n')[0];
    const total = { releases: 120, breaking: 0, products: 1, sources: 0 };
    assert.equal(opening(total), 'Acme published 120 releases in the last 30 days.');
    assert.equal(
      opening({ ...total, breaking: 7, sources: 1 }),
      'Acme published 120 releases across 1 product and 1 other source in the last 30 days, 7 of them with breaking changes.',
    );
    assert.equal(
      opening({ ...total, products: 0, sources: 3 }),
      'Acme published 120 releases across 3 sources in the last 30 days.',
    );
    assert.equal(
      opening({ ...total, releases: 1, breaking: 1 }),
      'Acme published 1 release in the last 30 days, with breaking changes.',
    );
  });

  it('names the package where several share a source', () => {
    const from = material({
      Kit: [
        release({ version: '@acme/web@1.1.0', importance: 4 }),
        release({ version: 'cli-v0.4.0', content: '- Fixed a crash on start' }),
      ],
      Server: [release({ version: 'v2.0.0', importance: 1, content: '- Added the second thing' })],
    });
    assert.match(
      write(from).content,
      /\*\*Kit\*\*: Added dark mode \(@acme\/web 1\.1\.0\)\. Fixed a crash on start \(cli 0\.4\.0\)\./,
    );
    assert.match(
      write(material({ Kit: from.groups[0]?.releases as SummarizedRelease[] })).content,
      /\*\*Kit \(cli 0\.4\.0\)\*\*/,
    );
  });

  it('tells a single product release by release', () => {
    const from = material({ CLI: [release({ version: '1.1.0' }), release({ version: '1.2.0', importance: 4 })] });
    assert.match(write(from).content, /\n\n\*\*CLI \(1\.2\.0\)\*\*: Added dark mode\.\n\n\*\*CLI \(1\.1\.0\)\*\*: /);
    const news = material({
      News: [release({ version: null }), release({ version: null, importance: 1, feedAt: '' })],
    });
    assert.match(write(news).content, /\n\n\*\*News \(2026-01-01\)\*\*: Added dark mode\.\n\n\*\*News\*\*: /);
  });

  it('tells the releases of one source newest first, whatever their weight', () => {
    const day = (date: number) => `2026-01-0${date}T00:00:00.000Z`;
    const from = material({
      CLI: [
        release({ version: '1.9.1', feedAt: day(3), importance: 1, content: '- Fixed a crash on start' }),
        release({ version: '1.9.0', feedAt: day(3), importance: 5, content: '- Added dark mode' }),
        release({ version: '1.10.0', feedAt: day(4), importance: 2, content: '- Added a light mode' }),
      ],
    });
    assert.deepEqual(
      planOverview(from)?.map(({ name }) => name),
      ['CLI (1.10.0)', 'CLI (1.9.1)', 'CLI (1.9.0)'],
    );
  });

  it('is not written when nothing can be quoted', () => {
    assert.equal(planOverview(material({ CLI: [release({ content: '' })] })), null);
    assert.equal(planOverview(material({})), null);
  });

  it('holds at most five paragraphs, four statements in each and 300 words', () => {
    const items = Array.from({ length: 9 }, (_, at) => `- Added the thing number ${at} ${'and more words '.repeat(9)}`);
    const groups = Array.from({ length: 9 }, (_, at): [string, SummarizedRelease[]] => [
      `P${at}`,
      [release({ content: items.join('\n') })],
    ]);
    const { content, citations } = write(material(Object.fromEntries(groups)));

    const paragraphs = content.split('\n\n').slice(1);
    assert.ok(paragraphs.length <= 5 && citations.length <= 20, content);
    assert.ok(content.split(/\s+/).length <= 300, String(content.split(/\s+/).length));
  });

  it('quotes truly, whatever the notes hold', () => {
    const word = fc.constantFrom(
      'Added',
      '`code`',
      '**bold**',
      '[link](https://x.example)',
      '#12',
      '@kim',
      '\u{1f680}',
      '\n- ',
      '\n\n',
      '. ',
      '<b>',
      '# ',
      '_',
      '*',
      '\\',
      'caf\u00e9',
      'feat:',
      '(abc1234)',
    );
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
    const notes = fc.record({ title: text, content: text, version: fc.constantFrom('1.0.0', null, '@a/b@2.0.0') });
    fc.assert(
      fc.property(fc.array(notes, { minLength: 1, maxLength: 6 }), (all) => {
        const releases = all.map((one) => release(one));
        const from = material({ 'A *b*': releases.slice(0, 3), C: releases.slice(3) });
        const paragraphs = planOverview(from);
        if (!paragraphs) return;
        const written = writeOverviewText(from, paragraphs);
        assert.deepEqual(falseCitations(written, new Map(releases.map((one) => [one.id, one]))), []);
        assert.doesNotMatch(written.content, /\n#|\n\n\n/);
      }),
    );
  });

  it('sees a citation that is not true', () => {
    const one = release();
    const releases = new Map([[one.id, one]]);
    const citation = { releaseId: one.id, startIndex: 0, endIndex: 15, citedText: 'Added dark mode (#12)' };
    const content = 'Added dark mode';
    const untrue = [
      { ...citation, endIndex: 16 },
      { ...citation, startIndex: 15 },
      { ...citation, endIndex: 5 },
      { ...citation, citedText: 'Added light mode' },
      { ...citation, releaseId: 'rel_none' },
    ];
    assert.deepEqual(falseCitations({ content, citations: [citation] }, releases), []);
    for (const wrong of untrue) assert.deepEqual(falseCitations({ content, citations: [wrong] }, releases), [wrong]);
    assert.deepEqual(falseCitations({ content, citations: [citation, citation] }, releases), [citation]);
  });
});

const period = (releases: SummarizedRelease[]) =>
  periodSummary({
    count: releases.length,
    versions: releases.flatMap(({ version }) => version ?? []),
    releases,
  });

describe('summary of a period', () => {
  it('gives count, span of versions and the weightiest items with their version', () => {
    const releases = [
      release({ version: 'v1.1.0', feedAt: '2026-01-02T00:00:00.000Z' }),
      release({
        version: '1.2.0',
        feedAt: '2026-01-03T00:00:00.000Z',
        importance: 4,
        content: '- Added hooks\n- Fixed a leak',
      }),
    ];
    assert.equal(
      period(releases),
      '2 releases: 1.1.0 to 1.2.0. Added hooks (1.2.0); Added dark mode (1.1.0); Fixed a leak (1.2.0).',
    );
    assert.equal(period([release()]), '1 release: 1.0.0. Added dark mode.');
    const back = release({ version: 'v0.9.7', feedAt: '2026-01-09T00:00:00.000Z', content: '- Fixed an old leak' });
    assert.match(period([...releases, back]), /^3 releases: 0\.9\.7 to 1\.2\.0\. /);
    const web = release({ version: '@acme/web@3.0.0' });
    assert.equal(
      period([
        web,
        release({ version: '@acme/cli@1.0.0', importance: 1, content: '- added dark mode\n- Fixed a leak' }),
      ]),
      '2 releases of 2 packages. Added dark mode (@acme/web 3.0.0); Fixed a leak (@acme/cli 1.0.0).',
    );
    assert.equal(period([release({ version: null, content: '' })]), '1 release.');
  });

  it('has at most 600 characters', () => {
    const content = Array.from(
      { length: 9 },
      (_, at) => `- Added the thing number ${at} ${'and more words '.repeat(9)}`,
    );
    const releases = Array.from({ length: 40 }, () => release({ content: content.join('\n') }));
    assert.ok(period(releases).length <= 600);
  });

  const from = '2026-02-01T00:00:00.000Z';
  const checked = { windowDays: 30, from, checkedAt: '2026-03-01T00:00:00.000Z', hasUndated: false };
  const dated = release({ version: '1.4.0', feedAt: '2025-11-05T10:00:00.000Z' });
  const undated = release({ version: null, title: 'Fall update', feedAt: '' });
  const windows: [string, Parameters<typeof quietSummary>[0], typeof dated, string][] = [
    ['a quiet window', checked, dated, 'No releases in the last 30 days; the latest was 1.4.0 on 2025-11-05.'],
    ['an undated latest release', checked, undated, 'No releases in the last 30 days; the latest was Fall update.'],
    [
      'a source that was never read',
      { ...checked, checkedAt: null },
      dated,
      'Never checked for new releases; the latest stored release is 1.4.0, from 2025-11-05.',
    ],
    [
      'a source that was read before the window',
      { ...checked, checkedAt: '2026-01-31T23:59:59.999Z' },
      undated,
      'Not checked in the last 30 days; the latest stored release is Fall update.',
    ],
    [
      'releases without a date',
      { ...checked, hasUndated: true },
      dated,
      'Releases without a date arrived in the last 30 days; the latest stored release is 1.4.0, from 2025-11-05.',
    ],
  ];
  for (const [name, window, latest, text] of windows) {
    it(`says no more than is known: ${name}`, () => assert.equal(quietSummary(window, latest), text));
  }
});
