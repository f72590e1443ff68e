// Builds the rows of releases from drafts: version fields, hashes, counts, derived texts, order time and listing. One
// builder serves a batch of one source.
import { type Context, now, queries, type WriteContext } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import {
  type DerivedNotes,
  type DigestInput,
  deriveNotes,
  type Habits,
  habitsFromJson,
  type NotesInput,
  notesFromDigest,
} from '../../domain/notes/index.ts';
import { elementAt, withoutUndefined } from '../../domain/records.ts';
import type { ItemKeys } from '../../domain/release-identity.ts';
import { factsOf } from '../../domain/source-types.ts';
import { versionStep } from '../../domain/versions/index.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { toJson } from '../../store/json-text.ts';
import { together } from '../../store/pipeline.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { resultOf } from '../../threads/results.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { isRaisedBy } from '../raise.ts';
import {
  type DerivedColumns,
  digestOfLong,
  effectiveCategory,
  factReading,
  isLong,
  kindReading,
  listingOf,
  type StatedText,
  stepsColumn,
  type TextFacts,
  textColumns,
  tokenCounting,
} from '../release-columns.ts';
import { StableVersions, type VersionBase } from '../stable-versions.ts';
import { schemeSetting, type VersionedDraft, type VersionFields, versionFields, versionPatterns } from '../versions.ts';
import type { Draft } from './draft.ts';
import { docKeyOf, freeDocKeys } from './full-text.ts';

// The parts of a draft that derived texts are computed from.
interface Derivable extends Pick<Draft, 'title' | 'content' | 'origin' | 'given'> {
  version: VersionFields;
  type: 'feature' | 'rollup';
}

type PreparedDraft = VersionedDraft & Pick<Draft, 'title' | 'content' | 'origin' | 'type'>;

export interface IdentifiedDraft {
  draft: Draft;
  key: ItemKeys;
}

export class RowBuilder {
  readonly #ctx: Context;
  readonly #sourceInOrg: SourceInOrg;
  readonly #patterns: ReturnType<typeof versionPatterns>;
  readonly #shared: Pick<DigestInput, 'names' | 'habits'>;

  // `habits` are the writing habits of the source, from its last count.
  constructor(ctx: Context, sourceInOrg: SourceInOrg, habits?: Habits) {
    this.#ctx = ctx;
    this.#sourceInOrg = sourceInOrg;
    this.#patterns = versionPatterns(sourceInOrg.source);
    const { source, org, product } = sourceInOrg;
    const names = [org?.name, product?.name, source.name].filter((name) => name !== undefined);
    this.#shared = { names, habits };
  }

  versionOf(draft: VersionedDraft): VersionFields {
    return versionFields(draft, this.#patterns);
  }

  async typeOf(draft: Pick<Draft, 'type' | 'title' | 'content'>): Promise<'feature' | 'rollup'> {
    return this.#statedType(draft) ?? resultOf(this.#ctx, kindReading(draft));
  }

  // Works out what a long text needs, before the transaction that writes it opens.
  async prepare(draft: PreparedDraft): Promise<void> {
    if (!isLong(draft)) return;
    const type = await this.typeOf(draft);
    await this.prepareDigest({ ...draft, version: this.versionOf(draft), type });
    await resultOf(this.#ctx, tokenCounting(draft.content));
  }

  // The same of a short text, for a draft that is certainly new.
  async prepareShort(draft: PreparedDraft): Promise<void> {
    await this.#ctx.results?.keep(factReading(this.#statedText(draft, this.versionOf(draft))));
  }

  // The digest of a long text alone.
  async prepareDigest(release: Derivable): Promise<void> {
    await digestOfLong(this.#ctx, this.#digestInput(release));
  }

  #statedType({ type }: Pick<Draft, 'type'>): 'feature' | 'rollup' | null {
    const stated = type ?? this.#sourceInOrg.source.release_type;
    return stated === 'feature' || stated === 'rollup' ? stated : null;
  }

  // `versions` contains those of the batch, because a step may begin at another version of the same batch.
  async derive(
    release: Derivable,
    versions = this.stableVersions(),
    known?: TextFacts['digest'],
  ): Promise<DerivedColumns> {
    const base = await versions.before(release.version);
    const input = this.#digestInput(release);
    const digest = known ?? (await digestOfLong(this.#ctx, input));
    const place = this.#placeOf(release, base);
    const byRules: DerivedNotes = digest
      ? notesFromDigest(digest, { ...place, version: input.version })
      : deriveNotes({ ...input, ...place });
    const { breakingAtLeast, ...given } = release.given ?? {};
    const derived = { ...byRules, ...withoutUndefined(given) };
    const isRaised = isRaisedBy(breakingAtLeast, derived.breaking);
    const stated = release.given?.migrationNotes;
    return {
      summary: derived.summary,
      title_generated: derived.titleGenerated,
      title_short: derived.titleShort,
      breaking: isRaised ? breakingAtLeast : derived.breaking,
      by_version: derived.byVersion && !isRaised && release.given?.breaking === undefined ? 1 : 0,
      migration_notes: derived.migrationNotes,
      upgrade_steps:
        stated === undefined
          ? derived.upgradeSteps && toJson(derived.upgradeSteps)
          : await stepsColumn(this.#ctx, stated),
      importance: derived.importance,
      composition: derived.composition ? toJson(derived.composition) : null,
      security: derived.security ? 1 : 0,
      derived_by: 'rules',
    };
  }

  stableVersions(batch: readonly VersionFields[] = []): StableVersions {
    return new StableVersions(this.#ctx, this.#sourceInOrg.source, batch);
  }

  // The rows of new releases, numbered and with their full-text keys, in the same order.
  async newRows(ctx: WriteContext, fresh: readonly IdentifiedDraft[]): Promise<ReleaseRow[]> {
    if (fresh.length === 0) return [];
    const versions = fresh.map(({ draft }) => this.versionOf(draft));
    const stable = this.stableVersions(versions);
    const [numbers] = await together([
      ctx.store.dialect.nextNumbers(ctx.tx, 'release_seq', fresh.length),
      stable.load(),
    ]);
    const at = now(ctx);
    const wanted = fresh.map(({ draft }, position) =>
      docKeyOf(draft.publishedAt, draft.firstSeenAt ?? at, numbers[position] ?? 0),
    );
    const docKeys = await freeDocKeys(ctx, { wanted, numbers });
    const rows: ReleaseRow[] = [];
    for (const [position, { draft, key }] of fresh.entries()) {
      await endLongTurn();
      const version = elementAt(versions, position);
      const facts = await this.#ctx.results?.kept(() => factReading(this.#statedText(draft, version)));
      const release: Derivable = {
        title: draft.title,
        content: draft.content,
        origin: draft.origin,
        given: draft.given,
        version,
        type: facts?.type ?? (await this.typeOf(draft)),
      };
      const derived = await this.derive(release, stable, facts?.digest);
      const text = await textColumns(ctx, draft, { version: draft.version, tokens: facts?.tokens });
      const numbered = { seq: numbers[position] ?? 0, doc_key: docKeys[position] ?? 0, identity_key: key.key };
      rows.push(this.#newRow(draft, { release, text, derived, numbered, at: draft.firstSeenAt ?? at }));
    }
    return rows;
  }

  #statedText(draft: PreparedDraft, version: VersionFields): StatedText {
    return { ...textOf(draft, version), ...this.#shared, type: this.#statedType(draft) };
  }

  // Each column is written by name: rows of one shape, built without spreading, are several times faster.
  #newRow(draft: Draft, { release: { version, type }, text, derived, numbered, at }: NewRow): ReleaseRow {
    const { source, visible } = this.#sourceInOrg;
    const suppressed = draft.suppressedReason === undefined ? 0 : 1;
    const listing = listingOf({ suppressed, coverage_of: null }, visible);
    return {
      id: newId('rel', this.#ctx.randomBytes),
      seq: numbered.seq,
      doc_key: numbered.doc_key,
      identity_key: numbered.identity_key,
      source_id: source.id,
      org_id: source.org_id,
      product_id: source.product_id,
      guid: draft.guid,
      url: draft.url,
      version: version.version,
      version_sort: version.version_sort,
      feed_version: version.feed_version,
      package_part: version.package_part,
      prerelease: version.prerelease,
      title: text.title,
      content: text.content,
      content_hash: text.content_hash,
      content_chars: text.content_chars,
      content_tokens: text.content_tokens,
      published_at: text.published_at,
      summary: derived.summary,
      title_generated: derived.title_generated,
      title_short: derived.title_short,
      breaking: derived.breaking,
      by_version: derived.by_version,
      migration_notes: derived.migration_notes,
      upgrade_steps: derived.upgrade_steps,
      importance: derived.importance,
      composition: derived.composition,
      security: derived.security,
      proven: 0,
      derived_by: derived.derived_by,
      feed_at: draft.publishedAt ?? '',
      type,
      origin: draft.origin,
      media: draft.media ? toJson(draft.media) : NO_MEDIA,
      source_hash: text.content_hash,
      pending_hash: null,
      pending_since: null,
      suppressed,
      suppressed_reason: draft.suppressedReason ?? null,
      suppressed_by: suppressed === 1 ? 'source' : null,
      coverage_of: null,
      coverage_count: 0,
      effective_category: effectiveCategory(this.#sourceInOrg),
      listing,
      pinned: isStated(draft, derived.breaking) ? STATED_PINNED : NOTHING_PINNED,
      revision_count: 0,
      indexed: listing > 0 ? 1 : 0,
      embedded_at: null,
      fetched_at: at,
      updated_at: at,
    };
  }

  // What a release is beside the one before it.
  #placeOf({ version }: Derivable, base: VersionBase): Pick<NotesInput, 'step' | 'displayName'> {
    const { source, product } = this.#sourceInOrg;
    const { parsed, package_part } = version;
    const isStepless =
      !factsOf(source.type).hasVersionSteps || STEPLESS_KINDS.has(source.kind ?? product?.kind ?? '') || base.continues;
    return {
      step: parsed && !isStepless ? versionStep(parsed, base.previous, schemeSetting(source)) : null,
      // A package is called by its own name; that of a repository with several packages is not the name of any of them.
      displayName: base.packageName ?? (base.shared ? package_part : null) ?? product?.name ?? source.name,
    };
  }

  // The input of a digest without the previous version, which is not known yet.
  #digestInput(release: Derivable): DigestInput {
    return { ...textOf(release, release.version), ...this.#shared, type: release.type };
  }
}

// A break that the author states stays when the notes are read with newer rules.
function isStated({ given }: Draft, breaking: ReleaseRow['breaking']): boolean {
  return given?.breakingAtLeast === breaking && (breaking === 'minor' || breaking === 'major');
}

function textOf({ title, content, origin }: Pick<Draft, 'title' | 'content' | 'origin'>, version: VersionFields) {
  return {
    title,
    content,
    version: version.version,
    versionNumbers: version.parsed?.numbers ?? [],
    prerelease: version.prerelease === 1,
    origin,
  };
}

interface NewRow {
  release: Derivable;
  text: Awaited<ReturnType<typeof textColumns>>;
  derived: DerivedColumns;
  numbered: Pick<ReleaseRow, 'seq' | 'doc_key' | 'identity_key'>;
  at: string;
}

const NO_MEDIA: ReleaseRow['media'] = toJson([]);
const NOTHING_PINNED: ReleaseRow['pinned'] = toJson([]);
const STATED_PINNED: ReleaseRow['pinned'] = toJson(['breaking']);

// Kinds whose version numbers do not indicate breaking changes.
const STEPLESS_KINDS = new Set(['mobile', 'desktop', 'docs']);

export async function storedHabits(ctx: Context, sourceId: string): Promise<Habits | undefined> {
  const row = await queries(ctx)
    .selectFrom('derivations')
    .select('habits')
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return row ? habitsFromJson(row.habits) : undefined;
}
