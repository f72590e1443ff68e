import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { atOnce } from '../../../test/support/named.ts';
import type { BlockInput } from '../../contract/blocklist.ts';
import { blockedUrls } from '../blocked-urls.ts';
import { blockUrl, findBlocking, listBlocked, unblockUrl } from './block-list.ts';

forEachEngine('block list', (engine) => {
  const open = async () => as((await engine.openTestApp()).ctx, 'admin');

  it('blocks addresses and domains once, finds what covers an address, lifts', async () => {
    const ctx = await open();
    const page = { page: 1, limit: 500 };

    await blockUrl(ctx, { pattern: 'https://www.bad.example/x/?utm_source=y', type: 'exact', reason: 'spam' });
    await blockUrl(ctx, { pattern: 'http://bad.example/x', type: 'exact' });
    await blockUrl(ctx, { pattern: 'evil.example', type: 'domain' });
    await blockUrl(ctx, { pattern: 'https://evil.example/', type: 'exact' });

    const { items } = await listBlocked(ctx, page);
    assert.deepEqual(items.map((item) => `${item.type} ${item.pattern} ${item.reason}`).sort(), [
      'domain evil.example null',
      'exact https://evil.example/ null',
      'exact https://www.bad.example/x/?utm_source=y spam',
    ]);
    const covering = async (url: string) => {
      const row = await findBlocking(ctx, url);
      return row && `${row.type} ${row.pattern}`;
    };
    assert.equal(await covering('http://bad.example/x'), 'exact https://www.bad.example/x/?utm_source=y');
    assert.equal(await covering('https://bad.example/y'), null);
    assert.equal(await covering('https://docs.evil.example/a'), 'domain evil.example');
    assert.equal(await covering('https://evil.example'), 'exact https://evil.example/');
    assert.equal(await covering('notevil.example'), null);
    assert.equal(await covering('mailto:x'), null);
    assert.deepEqual(
      [...(await blockedUrls(ctx, ['docs.evil.example/a', 'bad.example/x', 'bad.example/y']))],
      ['docs.evil.example/a', 'bad.example/x'],
    );

    await unblockUrl(ctx, { pattern: 'evil.example' });
    assert.equal(await covering('https://docs.evil.example/a'), null);
    await unblockUrl(ctx, { pattern: 'https://evil.example' });
    await unblockUrl(ctx, { pattern: 'https://bad.example/x' });
    await assert.rejects(unblockUrl(ctx, { pattern: 'https://bad.example/x' }), { code: 'not_found' });
    assert.equal((await listBlocked(ctx, page)).pagination.totalItems, 0);
  });

  it('refuses what is no address or domain; 20 callers make one row', async () => {
    const ctx = await open();
    const bad: BlockInput[] = [
      { pattern: 'ftp://x.example', type: 'exact' },
      { pattern: 'two words', type: 'exact' },
      { pattern: 'localhost', type: 'domain' },
      { pattern: '*.evil.example', type: 'domain' },
    ];

    for (const input of bad) await assert.rejects(blockUrl(ctx, input), { code: 'validation_failed' });
    const results = await atOnce(() => blockUrl(ctx, { pattern: 'evil.example', type: 'domain' }));

    assert.ok(results.every((result) => result === undefined));
    assert.equal((await listBlocked(ctx, { page: 1, limit: 10 })).pagination.totalItems, 1);
  });
});
