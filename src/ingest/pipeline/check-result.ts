// What an adapter has read is checked like what operators send, whatever the type of the source.
import type { Context } from '../../context.ts';
import { foldName } from '../../domain/clean-text.ts';
import { wasRead } from '../../domain/fetching/outcome.ts';
import { checkName, checkReleases } from '../../domain/release-check.ts';
import { isHttpUrl } from '../../domain/urls.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { AdapterResult } from '../adapters/contract.ts';

const MAX_SOURCE_NAME = 200;

// A document of which nothing can be stored was not read.
export function checkResult(ctx: Context, result: AdapterResult): AdapterResult {
  const { releases, refused } = checkReleases(result.items, ctx.clock());
  const items = releases.map((item) => (item.publishedAt === null ? { ...item, datePrecision: null } : item));
  const notes = refused === 0 ? result.notes : [...result.notes, `${refused} entries have no title that can be shown`];
  const sourceChanges = checkLearned(result.sourceChanges);
  const checked = { ...result, items, notes, sourceChanges };
  if (refused === 0 || items.length > 0 || !wasRead(result.outcome)) return checked;
  const detail = `none of ${refused} entries has a title that can be shown`;
  return { ...checked, outcome: 'malformed', detail, validators: [], memory: {}, withdrawn: [], restored: [] };
}

const ADDRESSES = ['url', 'feed_url', 'changelog_url', 'app_icon_url', 'video_feed'] as const;

function checkLearned(learned: Partial<SourceRow>): Partial<SourceRow> {
  const changes = { ...learned };
  if (changes.name !== undefined) {
    changes.name = checkName(changes.name, MAX_SOURCE_NAME);
    changes.name_key = foldName(changes.name);
    if (changes.name === '') {
      delete changes.name;
      delete changes.name_key;
    }
  }
  for (const column of ADDRESSES) {
    const address = changes[column];
    if (typeof address === 'string' && !isHttpUrl(address)) delete changes[column];
  }
  if (changes.url === undefined) delete changes.url_key;
  return changes;
}
