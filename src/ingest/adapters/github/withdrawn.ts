// Stored releases that are missing from the listing are requested one by one, because a listing can be wrong for a moment.
import type { Failure } from '../outcomes.ts';
import { type GithubRelease, RELEASE } from './parse-releases.ts';
import { type GithubRun, repositoryPath } from './run.ts';

const ASKED_A_RUN = 30;
const RELEASE_ID = /^\d{1,19}$/;

interface WithdrawnCheck {
  withdrawn: string[];
  // Too many are missing for one run, or an answer failed: the listing has to be read again.
  unfinished: boolean;
  failure: Failure | null;
}

// Guids of Release objects that a complete listing lacks, the newest first.
export function missingIds(
  known: { guids: ReadonlySet<string>; withdrawn?: ReadonlySet<string> },
  listed: readonly Pick<GithubRelease, 'id' | 'draft'>[],
): string[] {
  const seen = new Set(listed.filter(({ draft }) => !draft).map(({ id }) => String(id)));
  return [...known.guids]
    .filter((guid) => RELEASE_ID.test(guid) && !seen.has(guid) && !known.withdrawn?.has(guid))
    .sort((a, b) => Number(b) - Number(a));
}

// Withdrawn releases that the source lists again.
export function seenAgain(
  known: { withdrawn?: ReadonlySet<string> },
  listed: readonly Pick<GithubRelease, 'id' | 'draft'>[],
): string[] {
  return listed.filter(({ id, draft }) => !draft && known.withdrawn?.has(String(id))).map(({ id }) => String(id));
}

export async function checkWithdrawn(run: GithubRun, missing: readonly string[]): Promise<WithdrawnCheck> {
  const check: WithdrawnCheck = { withdrawn: [], unfinished: missing.length > ASKED_A_RUN, failure: null };
  for (const id of missing.slice(0, ASKED_A_RUN)) {
    const answer = await run.api.get({ target: repositoryPath(run, `/releases/${id}`), read: RELEASE });
    if (answer.kind === 'failure' && answer.failure.outcome === 'gone') check.withdrawn.push(id);
    else if (answer.kind === 'failure') return { ...check, unfinished: true, failure: answer.failure };
    // A token with access to drafts still sees a release that was turned back into one.
    else if (answer.kind === 'read' && answer.value?.draft) check.withdrawn.push(id);
  }
  return check;
}
