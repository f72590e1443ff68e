// The page about one upgrade, as a reader without script meets it.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type CheerioAPI, load } from 'cheerio';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const NOW = '2026-03-31T12:00:00.000Z';

const at = (month: number) => `2025-${String(month).padStart(2, '0')}-08T09:00:00.000Z`;

forEachEngine('the page about an upgrade', (engine) => {
  let service: Service;
  let name: string;
  before(async () => {
    const app = await engine.openTestApp({ clock: () => new Date(NOW) });
    const ctx = as(app.ctx, 'write');
    const source = await createSource(ctx, { orgId: (await createOrg(ctx)).id });
    name = source.slug;
    const renamed = '- Use `connect()` instead of `open()`. ([#12](https://code.example/pull/12))';
    await postReleases(ctx, source.id, [
      releaseRow('1.0.0', { publishedAt: at(1) }),
      releaseRow('1.1.0', {
        publishedAt: at(2),
        breaking: 'minor',
        migrationNotes: renamed,
        content: 'Deprecated `open`.',
      }),
      releaseRow('1.2.0', { publishedAt: at(3), breaking: 'none', content: 'Two fixes in the parser.' }),
      releaseRow('1.2.1', { publishedAt: at(4), breaking: 'unknown', content: '' }),
      releaseRow('2.0.0', {
        publishedAt: at(5),
        breaking: 'major',
        content: '### Removed\n- The function `open` is gone.',
        migrationNotes: `### Upgrading\n\n${renamed}\n1. Run Node 20.\n2. Set \`a\`.\n3. Set \`b\`.\n4. Set \`c\`.\n5. Set \`d\`.`,
      }),
      releaseRow('3.0.0', { publishedAt: at(6), breaking: 'major', content: 'The third generation.' }),
    ]);
    service = await startService(app);
  });
  const read = async (query: Record<string, string>): Promise<CheerioAPI> => {
    const path = `/whats-changed?${new URLSearchParams({ package: name, ...query })}`;
    const { status, text } = await service.anonymous.get(path, { Accept: 'text/html' });
    assert.equal(status, 200);
    return load(text);
  };

  it('gives the answer as a sentence, the steps of the whole range once, and how it is known', async () => {
    const $ = await read({ from: '1.0.0', to: '3.0.0' });
    assert.equal($('.answer h2').text(), 'Yes, it breaks: 2 of 5 versions have breaking changes');
    assert.equal($('.answer').attr('data-level'), 'major');
    assert.equal($('.todo h3').text(), 'What to do: 6 steps');
    const steps = $('.todo li');
    assert.equal(steps.length, 6);
    // The step of both versions comes once, without its reference, and leads to both.
    assert.equal(steps.first().find('code').text(), 'connect()open()');
    assert.doesNotMatch($('.todo').text(), /#12|###|code\.example/);
    assert.deepEqual(
      [...steps.first().find('.src a')].map((link) => $(link).text()),
      ['1.1.0', '2.0.0'],
    );
    assert.match($('.todo details summary').text(), /1 more step/);
    assert.match($('.todo .foot-line').text(), /3\.0\.0 breaks too, and no step was found there/);
    const proof = $('.proof').text();
    assert.match(proof, /2 breaking \(2\.0\.0 and 3\.0\.0\), 1 may break\. Read for 4 of 5 versions/);
    assert.match(proof, /1 version has no notes/);
    assert.doesNotMatch($('main').text(), /(?<![\d.])0 (?:breaking|minor|versions|releases)/);
  });

  it('shows every version on the line, with links that lead somewhere', async () => {
    const $ = await read({ from: '1.0.0', to: '3.0.0' });
    assert.equal($('.lane title').length, 5);
    assert.match($('.lane').attr('aria-label') ?? '', /5 versions in order: 2 breaking, 1 may break, 1 not known/);
    const jumps = [...$('.jumps a')].map((link) => $(link).attr('href') ?? '');
    assert.deepEqual(jumps, ['#b-2.0.0', '#b-3.0.0', '#minor', '#gaps']);
    for (const link of $('main a[href^="#"]')) {
      const id = ($(link).attr('href') ?? '').slice(1);
      assert.equal($(`[id="${id}"]`).length, 1, id);
    }
    assert.equal($('.brk').length, 2);
    assert.deepEqual(
      [...$('.era .name')].map((part) => $(part).text()),
      ['1.x', '2.x', '3.x'],
    );
  });

  it('never promises more than the notes say', async () => {
    const quiet = await read({ from: '1.1.0', to: '1.2.0' });
    assert.equal(quiet('.answer h2').text(), 'No sign of a break in 1 version');
    assert.match(quiet('.lede').text(), /That is not a promise/);
    const unknown = await read({ from: '1.2.0', to: '1.2.1' });
    assert.match(unknown('.answer h2').text(), /^Not known/);
    const gap = await read({ from: '1.2.0', to: '1.5.0' });
    assert.equal(gap('.answer h2').text(), 'Not known: 1.5.0 is not stored');
    const ahead = await read({ from: '9.0.0' });
    assert.equal(ahead('.answer h2').text(), 'Your version is newer than the latest one known');
    assert.doesNotMatch(ahead('main').text(), /safe/i);
  });

  it('says in words what is wrong, without parameters and calls of the API', async () => {
    const swapped = await read({ from: '3.0.0', to: '1.0.0' });
    assert.match(swapped('.notice').text(), /3\.0\.0 comes after 1\.0\.0\. .*swap the two/);
    const unanswered: Record<string, string>[] = [
      { package: 'nobody-knows', from: '1.0.0' },
      { package: 'nobody-knows', from: '1.0.0', ecosystem: 'npm' },
      { package: 'some/repository', from: '1.0.0' },
      { from: '1.0.0', to: '9.0.0' },
      { from: '9.0.0' },
    ];
    for (const query of unanswered) {
      const $ = await read(query);
      $('code, pre').remove();
      assert.doesNotMatch($('main').text(), /\/v1\/|POST |PATCH |ecosystem=|org=|fetchPriority/, JSON.stringify(query));
      assert.match($('.answer h2').text(), /^(?:Not known|Which|Your version|Yes)/);
    }
  });
});
