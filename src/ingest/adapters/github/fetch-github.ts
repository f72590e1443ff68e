// The way of a repository: its own facts once a day, then the one conditional request that a poll is.
import type { AdapterContext, AdapterInput, AdapterResult, Validator } from '../contract.ts';
import { adapterResult } from '../outcomes.ts';
import { recallTagsRead } from './memory.ts';
import { pollReleases, readBackfill } from './poll-releases.ts';
import { pollTags } from './poll-tags.ts';
import { readRepository, repositoryIsDue } from './repository.ts';
import { endInFailure, startRun } from './run.ts';

export async function fetchGithub(ctx: AdapterContext, input: AdapterInput): Promise<AdapterResult> {
  const run = startRun(ctx, input);
  if (run === null) return adapterResult(ctx, { outcome: 'error', detail: 'the source names no GitHub repository' });
  if (input.backfill !== null) return readBackfill(run, input.backfill);

  let own: Validator | null = null;
  if (repositoryIsDue(run)) {
    const { failure, validator } = await readRepository(run);
    if (failure) return endInFailure(run, failure);
    own = validator;
  }
  const tags = recallTagsRead(input.memory);
  const result = tags === null ? await pollReleases(run) : await pollTags(run, tags);
  const isRead = result.outcome === 'success' || result.outcome === 'no_change';
  return own && isRead ? { ...result, validators: [own, ...result.validators] } : result;
}
