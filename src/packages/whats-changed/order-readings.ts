// A question orders what it lacks, and tells what is being read for it. It fetches nothing itself.

import { type Context, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import type { PackageName } from '../../domain/ecosystems/index.ts';
import { isPossibleName, normalizePackageName, packageKey } from '../../domain/published-package.ts';
import { type Asker, isListingDue, type Missing, mayOrderReadings } from '../../domain/readings/reading.ts';
import { plainRequest } from '../../domain/upgrade/requested-package.ts';
import { orderReadings, type WantedReading } from '../readings/order.ts';
import { namedPackage, visiblePackages } from './listings.ts';
import type { AskedPackage, Question } from './questions.ts';

interface Answered {
  questions: readonly Question[];
  answers: readonly (WhatsChanged | ApiError)[];
  // What the questions were found to mean.
  packages: readonly AskedPackage[];
  asker: Asker;
}

export async function withReadings(
  ctx: Context,
  { questions, answers, packages, asker }: Answered,
): Promise<(WhatsChanged | ApiError)[]> {
  const mayOrder = mayOrderReadings(ctx.config.ask.access, ctx.caller);
  if (!mayOrder && !(isOnlyLooking(ctx) && ctx.config.ask.access !== 'off')) return [...answers];
  const named = new Map(packages.map(({ index, named }) => [index, named]));
  const published = await packagesLikeSource(ctx, questions);
  const asked = questions.flatMap((question, slot) => {
    const answer = answers[slot];
    if (answer === undefined || answer instanceof ApiError) return [];
    const of =
      named.get(question.index) ?? namedPackage(question) ?? published.get(question) ?? meantPackage(question, answer);
    const spelling = of && spellingFor(question, of);
    return of && spelling !== null ? [{ slot, ...of, spelling, question, answer }] : [];
  });
  if (asked.length === 0) return [...answers];
  try {
    const seen = await visiblePackages(ctx, asked);
    const states = await listingTimes(ctx, seen);
    const wanted = seen.flatMap(({ slot, question, answer, ecosystem, name, spelling }) => {
      const missing = missingOf(ctx, answer, states.get(packageKey({ ecosystem, name })) ?? null);
      const { from, to } = question.requested;
      return missing === null
        ? []
        : [{ slot, order: { ecosystem, name, spelling, from, to, missing } satisfies WantedReading }];
    });
    if (!mayOrder) {
      // The answer of a crawler says nothing about what others may order.
      if (wanted.length > 0) ctx.answer.degraded = true;
      return [...answers];
    }
    const readings = await orderReadings(
      ctx,
      wanted.map(({ order }) => order),
      asker,
    );
    const bySlot = new Map(wanted.map(({ slot }, index) => [slot, readings[index] ?? null]));
    return answers.map((answer, slot) => {
      const reading = bySlot.get(slot);
      if (!reading || answer instanceof ApiError) return answer;
      // The next answer knows more.
      ctx.answer.degraded = true;
      return { ...answer, reading };
    });
  } catch (err) {
    // An answer without a reading is better than none, as with a database that cannot be written.
    ctx.log.warn({ err }, 'readings could not be ordered');
    return [...answers];
  }
}

function isOnlyLooking({ caller }: Context): boolean {
  return caller.passive === true || caller.unread === true;
}

// A bare name that nobody tracks is taken for the package of its first registry.
function meantPackage({ method, target }: Question, { reason }: WhatsChanged): PackageName | null {
  if (method.by !== 'slug' || target.source !== null || reason === 'ambiguous') return null;
  return method.names[0] ?? null;
}

// The package that a source publishes under its own name, which a question by the name of the source means.
async function packagesLikeSource(ctx: Context, questions: readonly Question[]): Promise<Map<Question, PackageName>> {
  const asked = questions.flatMap((question) => {
    const { method, target } = question;
    return method.by === 'slug' && target.source?.hasPackages
      ? [{ question, names: method.names, sourceId: target.source.id }]
      : [];
  });
  if (asked.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('packages')
    .select(['ecosystem', 'name', 'source_id'])
    .where('source_id', 'in', [...new Set(asked.map(({ sourceId }) => sourceId))])
    .where('name', 'in', [...new Set(asked.flatMap(({ names }) => names.map(({ name }) => name)))])
    .execute();
  const found = new Map(rows.map(({ source_id, ...named }) => [`${source_id} ${packageKey(named)}`, named]));
  return new Map(
    asked.flatMap(({ question, names, sourceId }) => {
      const named = names.find((one) => found.has(`${sourceId} ${packageKey(one)}`));
      return named ? [[question, named] as const] : [];
    }),
  );
}

// As its registry would spell it; null for what no registry can have.
function spellingFor({ requested }: Question, { ecosystem, name }: PackageName): string | null {
  const written = plainRequest(requested).package;
  const spelling = normalizePackageName(ecosystem, written) === name ? written : name;
  return isPossibleName(ecosystem, spelling) ? spelling : null;
}

// Null when nothing is missing.
function missingOf(ctx: Context, answer: WhatsChanged, listedAt: string | null): Missing | null {
  if (answer.reason === 'same_version' || answer.reason === 'ambiguous') return null;
  const status = answer.evidence?.status;
  const missing = {
    listing: isListingDue(listedAt, ctx.clock()),
    comparison: status === 'pending' || status === 'not_ordered',
    notes: answer.source === null,
  };
  return missing.listing || missing.comparison || missing.notes ? missing : null;
}

async function listingTimes(ctx: Context, names: readonly PackageName[]): Promise<Map<string, string | null>> {
  if (names.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('package_states')
    .select(['id', 'listed_at'])
    .where('id', 'in', [...new Set(names.map(packageKey))])
    .execute();
  return new Map(rows.map(({ id, listed_at }) => [id, listed_at]));
}
