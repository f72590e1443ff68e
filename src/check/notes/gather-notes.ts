// The notes of every step of a check: those inside of the package first, then those of the public repository that it names.
// Packages that break something or go to a new major version come first, because hosts limit how much they are asked.
import { type CodeHost, repositoryAt } from '../../domain/code-hosts/hosts.ts';
import type { NotesFrom, NotesTold, WhyNoNotes } from '../../domain/upgrade/report/notes-told.ts';
import { isPrerelease } from '../../domain/versions/index.ts';
import { versionsBetween } from '../answer.ts';
import type { PairEvidence } from '../evidence/compare-pair.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import type { Step } from '../questions.ts';
import type { CodeHosts } from './code-host.ts';
import { repositoryNotes } from './repository-notes.ts';
import { mergeNotes, type PackedNote } from './text-notes.ts';

export interface StepNotes {
  // Oldest first.
  notes: readonly PackedNote[];
  told: NotesTold;
}

interface NotesTools {
  // Null where no repository is asked.
  hosts: CodeHosts | null;
  from: NotesFrom;
  // The package may be named to others than its own registry.
  isPublic(step: Step): boolean;
  // A server has answered for the step.
  server(step: Step): boolean;
  signal: AbortSignal;
  onRead(done: number, total: number): void;
}

const REPOSITORIES_AT_ONCE = 6;

// In the order of the steps.
export async function gatherNotes(
  steps: readonly Step[],
  evidence: readonly (PairEvidence | null)[],
  tools: NotesTools,
): Promise<StepNotes[]> {
  const known = new Map(steps.map((step, index) => [step, evidence[index] ?? null]));
  const read = new Map<Step, StepNotes>();
  const inOrder = steps.toSorted((a, b) => urgency(a, known.get(a)) - urgency(b, known.get(b)));
  await mapConcurrently(
    inOrder,
    REPOSITORIES_AT_ONCE,
    async (step) => void read.set(step, await notesOf(step, known.get(step) ?? null, tools)),
    (done) => tools.onRead(done, steps.length),
  );
  return steps.map((step) => read.get(step) ?? { notes: [], told: notTold('not_asked') });
}

function urgency({ from, to }: Step, evidence: PairEvidence | null | undefined): number {
  if ((evidence?.counts.proven ?? 0) > 0) return 0;
  const isMajor = from.split('.')[0] !== to.split('.')[0];
  return (evidence?.counts.likely ?? 0) > 0 || isMajor ? 1 : 2;
}

async function notesOf(step: Step, evidence: PairEvidence | null, tools: NotesTools): Promise<StepNotes> {
  const { hosts, from: mode, signal } = tools;
  if (tools.server(step)) return { notes: [], told: { by: 'server' } };
  if (mode === 'none') return { notes: [], told: notTold('off') };
  const packed = evidence?.notes ?? [];
  const asPacked = (why: WhyNoNotes): StepNotes => {
    return { notes: packed, told: packed.length > 0 ? { by: 'package' } : notTold(why) };
  };
  const { listing, question, from, to } = step;
  const open = versionsBetween(listing, { from, to, noted: packed.map(({ version }) => version) })
    .filter((one) => !one.noted && !one.withdrawn && (isPrerelease(to) || !one.isPrerelease))
    .map(({ version }) => version);
  if (open.length === 0 && packed.length > 0) return asPacked('nothing');
  if (!tools.isPublic(step)) return asPacked('private');
  if (mode === 'package' || hosts === null) return asPacked('not_asked');
  const named = evidence?.repository ?? listing.repository ?? null;
  if (named === null) return asPacked(isManifestRead(evidence) ? 'no_repository' : 'not_read');
  const repository = repositoryAt(named.url, hosts.hosts);
  if (repository === null) return asPacked('other_host');
  const { name } = question.change;
  const reading = await repositoryNotes(
    hosts,
    {
      repository,
      folder: named.folder,
      name,
      from,
      to,
      versions: listing.versions.map(({ version }) => version),
      open,
      hint: evidence?.changelogName ?? null,
    },
    signal,
  );
  const host = hostName(repository.host);
  if (reading.notes.length > 0) {
    return { notes: mergeNotes([packed, reading.notes]), told: { by: 'repository', host } };
  }
  const { kind, reason } = reading.problem ?? { kind: 'nothing' as const };
  const { told } = asPacked(kind);
  return { notes: packed, told: told.by === null ? { ...told, host, ...(reason && { reason }) } : told };
}

// Of what is not compared, the manifest was not seen either.
function isManifestRead(evidence: PairEvidence | null): boolean {
  return evidence === null || evidence.status === 'compared' || evidence.status === 'no_types';
}

function hostName({ web }: CodeHost): string {
  return new URL(web).host;
}

function notTold(why: WhyNoNotes): NotesTold {
  return { by: null, why };
}
