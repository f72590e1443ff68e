import assert from 'node:assert/strict';
import { it } from 'node:test';
import pino from 'pino';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { transact } from '../../context.ts';
import { resolveSource } from '../../entities/resolve.ts';
import { toJson } from '../../store/json-text.ts';
import { itemFilter } from './item-filters.ts';
import { draftFromInput } from './write-batch.ts';

forEachEngine('patterns of a source', (engine) => {
  it('that cannot be read are ignored, and the log says so', async () => {
    const { ctx } = await engine.openTestApp();
    const { id } = await createSource(ctx);
    // These settings were accepted before patterns with backreferences were refused.
    const settings = toJson({ itemDeny: ['(a)\\1', 'nightly'], tagAllow: ['(?<=v)1'] });
    await transact(ctx, ({ tx }) => tx.updateTable('sources').set({ settings }).where('id', '=', id).execute());
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: 'warn', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });

    const sourceInOrg = await resolveSource(ctx, { src: String(id) });
    const drafts = ['aa', 'nightly build'].map((title) => draftFromInput({ title }));
    const refused = await itemFilter({ ...ctx, log }, sourceInOrg, drafts);

    assert.deepEqual(drafts.map(refused), [null, 'filtered']);
    assert.deepEqual(
      lines.map(({ msg, source, setting, patterns }) => ({ msg, source, setting, patterns })),
      [
        { setting: 'itemDeny', patterns: ['(a)\\1'] },
        { setting: 'tagAllow', patterns: ['(?<=v)1'] },
      ].map((facts) => ({ msg: 'patterns that cannot be read are ignored', source: id, ...facts })),
    );
  });
});
