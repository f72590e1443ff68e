// The way of a repository: its own facts once a day, then the one conditional request that a poll is.
import type { AdapterContext, AdapterInput, AdapterResult, Validator } from '../contract.ts';
import { adapterResult } from '../outcomes.ts';
import { readTagsMark } from './memory.ts';
import { pollReleases, readBackfill } from './poll-releases.ts';
import { pollTags } from './poll-tags.ts';
import { readRepository, repositoryIsDue } from './repository.ts';
import { endInTrouble, startRun } from './run.ts';

export async function fetchGithub(ctx: AdapterContext, input: AdapterInput): Promise<AdapterResult> {
  const run = startRun(ctx, input);
  if (run === null) return adapterResult(ctx, { outcome: 'error', detail: 'the source names no GitHub repository' });
  if (input.backfill !== null) return readBackfill(run, input.backfill);

  let own: Validator | null = null;
  if (repositoryIsDue(run)) {
    const { trouble, validator } = await readRepository(run);
    if (trouble) return endInTrouble(run, trouble);
    own = validator;
  }
  const tags = readTagsMark(input.validators);
  const result = tags === null ? await pollReleases(run) : await pollTags(run, tags);
  const isRead = result.outcome === 'success' || result.outcome === 'no_change';
  return own && isRead ? { ...result, validators: [own, ...result.validators] } : result;
}
