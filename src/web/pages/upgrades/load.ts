// What the page, the picture and the text of an upgrade show: the answer with all findings, each under the version in which it
// happened.
import type { Context } from '../../../context.ts';
import { ANONYMOUS } from '../../../contract/caller.ts';
import { ApiError, notFound } from '../../../contract/errors.ts';
import type { EvidenceFinding } from '../../../contract/evidence.ts';
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { byCertaintyAndWeight } from '../../../domain/evidence/finding.ts';
import { type PlacedFindings, placeFindings } from '../../../domain/evidence/place-findings.ts';
import { namesInCode, weightAfterNotes } from '../../../domain/evidence/weight.ts';
import type { Asker } from '../../../domain/readings/reading.ts';
import type { PackageName } from '../../../domain/upgrade/requested-package.ts';
import { type ResolvedStep, readStepAddress, resolveStep } from '../../../domain/upgrade/step-address.ts';
import { type Reply, redirect } from '../../../http/kernel/reply.ts';
import { latestOf } from '../../../packages/details/detail.ts';
import { findPackage, packageNamed } from '../../../packages/details/known-package.ts';
import { type VersionOfPackage, versionsOfPackage } from '../../../packages/details/versions.ts';
import { whatsChanged } from '../../../packages/whats-changed/index.ts';
import { hasNotes } from '../../components/upgrade-gaps.ts';
import { upgradePath } from '../../links.ts';

export interface AskedUpgrade {
  ecosystem: string;
  name: string;
  // `9-to-10`
  step: string;
}

type AnsweredStep = Omit<ResolvedStep, 'from' | 'to'>;

export interface UpgradeView {
  answer: WhatsChanged;
  named: PackageName;
  spelling: string;
  step: AnsweredStep;
  places: PlacedFindings<EvidenceFinding>[];
  // Newest versions of the major lines, highest first.
  lines: string[];
  // At least one witness has spoken, and everybody may see it.
  isIndexable: boolean;
}

interface ResolvedUpgrade {
  named: PackageName;
  spelling: string;
  versions: VersionOfPackage[];
  step: ResolvedStep;
  isKnown: boolean;
}

// Throws for what no upgrade can be; a reply leads to the spelling of the same versions.
async function resolveUpgrade(ctx: Context, asked: AskedUpgrade): Promise<ResolvedUpgrade> {
  const named = packageNamed(asked);
  const address = readStepAddress(asked.step);
  if (!named || !address) throw notFound('upgrade', asked.step);
  const known = await findPackage(ctx, named);
  const versions = known ? await versionsOfPackage(ctx, known) : [];
  const latest = known ? (latestOf(known, versions)?.version ?? null) : null;
  const step = resolveStep(address, versions, latest);
  if (!step) throw new ApiError('not_found', `no such upgrade of ${named.name}: ${asked.step}`);
  return { named, spelling: known?.spelling ?? named.name, versions, step, isKnown: known !== null };
}

// The path in the spelling of the registry; null when it is that already.
function movedStep(asked: AskedUpgrade, { named, step }: ResolvedUpgrade): string | null {
  return step.written === asked.step && named.name === asked.name ? null : upgradePath(named, step.written);
}

export async function loadUpgrade(
  ctx: Context,
  asked: AskedUpgrade,
  { asker = 'person', suffix = '' }: { asker?: Asker; suffix?: string } = {},
): Promise<UpgradeView | Reply> {
  const resolved = await resolveUpgrade(ctx, asked);
  const moved = movedStep(asked, resolved);
  if (moved !== null) return redirect(`${moved}${suffix}`, 308);
  const { named, step, versions, spelling, isKnown } = resolved;
  const { ecosystem, name } = named;
  const [from, to] = [step.from ?? step.labels.from, step.to ?? step.labels.to];
  const answer = await whatsChanged(ctx, { package: name, ecosystem, from, to, findings: 'all' }, asker).catch(
    (error: unknown) => {
      throw error instanceof ApiError && error.status < 500 ? new ApiError('not_found', error.message) : error;
    },
  );
  if (!isKnown && !answer.reading) {
    const isOpen = ctx.config.lookups.access === 'public';
    const track = isOpen ? { track: { ecosystem, name } } : {};
    throw new ApiError('not_found', `package not found: ${name}`, { entity: 'package', value: name, ...track });
  }
  const hasSpoken = answer.entries.some(hasNotes) || (answer.evidence?.pairs.length ?? 0) > 0;
  return {
    answer,
    named,
    spelling,
    step,
    places: placesOf(answer, versions),
    lines: majorLines(versions),
    isIndexable: hasSpoken && (await isPublic(ctx, named)),
  };
}

async function isPublic(ctx: Context, named: PackageName): Promise<boolean> {
  if (ctx.caller.kind === 'anonymous') return true;
  return (await findPackage({ ...ctx, caller: ANONYMOUS }, named)) !== null;
}

// Each finding under the version in which it happened, with the weight that the notes of the range give it.
function placesOf(answer: WhatsChanged, versions: readonly VersionOfPackage[]): PlacedFindings<EvidenceFinding>[] {
  const pairs = answer.evidence?.pairs ?? [];
  if (pairs.length === 0) return [];
  const notes = answer.entries.map(({ summary, excerpt, migrationNotes }) =>
    [summary, excerpt, migrationNotes].filter(Boolean).join('\n'),
  );
  const mentioned = namesInCode(notes.join('\n'));
  const heavier = (finding: EvidenceFinding) =>
    finding.weight === undefined
      ? finding
      : { ...finding, weight: weightAfterNotes(finding.weight, finding, mentioned) };
  const places = new Map(versions.map(({ version }, index) => [version, index]));
  const told = pairs.map(({ from, to, findings }) => ({
    from,
    to,
    isStep: isNext(versions, places.get(from), places.get(to)),
    findings: findings.map(heavier).sort(byCertaintyAndWeight),
  }));
  const whole = told.find(({ from, to }) => from === answer.fromVersion && to === answer.toVersion) ?? null;
  return placeFindings(
    whole,
    told.filter((pair) => pair !== whole),
  );
}

// Pre-releases in between are versions of those who ask for them.
function isNext(versions: readonly VersionOfPackage[], from: number | undefined, to: number | undefined): boolean {
  if (from === undefined || to === undefined) return false;
  return versions.slice(to + 1, from).every(({ prerelease, withdrawn }) => prerelease || withdrawn);
}

const MAX_LINES = 6;

function majorLines(versions: readonly VersionOfPackage[]): string[] {
  const lines = versions
    .filter(({ prerelease, withdrawn }) => !prerelease && !withdrawn)
    .flatMap(({ version }) => /^\d+(?=\.)/.exec(version)?.[0] ?? []);
  return [...new Set(lines)].slice(0, MAX_LINES);
}
