// A database server whose disk is full. Rows still find room in pages that are there, but nothing new can be made.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

forEachEngine('a full disk', (engine) => {
  // The disk of an embedded database is looked at directly (`mayRefuseWrites`).
  if (engine.name === 'sqlite') return;

  it('is told by /ready before any write has failed, and no longer when there is room again', async () => {
    const clock = movableClock('2026-11-20T12:00:00.000Z');
    const app = await engine.openTestApp({ clock });
    const service = await startService(app);
    const ready = async () => {
      const { status, body } = await service.anonymous.get('/ready');
      return [status, body.error?.details?.reason ?? null];
    };
    const run = (statement: string) => sql.raw(statement).execute(app.ctx.store.read);
    assert.deepEqual(await ready(), [200, null]);
    await run(`CREATE FUNCTION no_room() RETURNS event_trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
    await run(`CREATE EVENT TRIGGER no_room ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
      EXECUTE FUNCTION no_room()`);

    clock.move(30_000);
    assert.deepEqual(await ready(), [503, 'disk_full']);
    assert.equal((await service.anonymous.get('/v1/orgs')).status, 200, 'reads go on');
    assert.deepEqual(await ready(), [503, 'disk_full']);

    await run('DROP EVENT TRIGGER no_room');
    assert.deepEqual(await ready(), [200, null]);
  });
});
