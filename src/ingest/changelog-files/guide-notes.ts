// Breaking releases without migration notes take them from the section of the repository's upgrade guide. Only this field
// changes, because a guide is no news about the release. The whole section is kept beside every breaking release that has
// one, for the steps of an upgrade.
import { sql } from 'kysely';
import type { Context, WriteContext } from '../../context.ts';
import { changelogKind, fileNameOf, folderOf } from '../../domain/changelog/files.ts';
import {
  type GuideSection,
  type GuideText,
  guideFrom,
  notesOfSection,
  type UpgradeGuide,
} from '../../domain/upgrade/guide.ts';
import { isBreaking } from '../../domain/upgrade/judgement.ts';
import { choosePart, type PartsOfSource, partOfPackage } from '../../domain/upgrade/requested-package.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { partsOfSources } from '../../packages/whats-changed/package-sources.ts';
import { notesColumns, prepareSteps, stepsColumn } from '../../releases/release-columns.ts';
import { parseJson } from '../../store/json-text.ts';
import { resultOf } from '../../threads/results.ts';
import { isForRepository, lastSegment } from '../adapters/changelog/entries.ts';
import { sourceNames } from './fill-stored.ts';
import { GUIDE_READING } from './text-tasks.ts';

// How many releases have other notes now.
export async function fillGuideNotes(ctx: WriteContext, sourceInOrg: SourceInOrg): Promise<number> {
  const { id: sourceId } = sourceInOrg.source;
  const guides = await guidesOf(ctx, sourceInOrg);
  const rows = await openReleases(ctx, sourceId, guides.size > 0);
  let changed = 0;
  for (const row of rows) {
    const isPinned = parseJson(row.pinned).includes('migrationNotes');
    const isTold = isBreaking(row.breaking) && !isPinned;
    const section = isTold ? (guides.get(row.package_part)?.(row.version ?? '') ?? null) : null;
    const isOwn = row.migration_notes !== null && row.migration_notes !== (row.guided && notesOfSection(row.guided));
    const notes = section && notesOfSection(section);
    const isFilled = !isOwn && !isPinned && notes !== row.migration_notes;
    if (isFilled) {
      const columns = await notesColumns(ctx, notes);
      await ctx.tx.updateTable('releases').set(columns).where('id', '=', row.id).execute();
      changed += 1;
    }
    if (section === null && row.guided !== null) await forget(ctx, row.id);
    if (section !== null && section !== row.guided)
      await remember(ctx, { sourceId, releaseId: row.id, notes: section });
  }
  return changed;
}

// Guides by the package that each is about.
async function guidesOf(ctx: WriteContext, sourceInOrg: SourceInOrg): Promise<Map<string | null, UpgradeGuide>> {
  const { source } = sourceInOrg;
  const heads = await ctx.tx
    .selectFrom('changelog_files')
    .select(['id', 'path'])
    .where('source_id', '=', source.id)
    .execute();
  const files = heads.filter(({ path }) => changelogKind(fileNameOf(path)) === 'guide');
  const guides = new Map<string | null, UpgradeGuide>();
  if (files.length === 0) return guides;
  const parts = (await partsOfSources(ctx, [source.id])).get(source.id) ?? { parts: [], hasBare: false };
  // Guides nearest to the root come first.
  for (const { id, path } of files.sort((a, b) => a.path.length - b.path.length)) {
    const part = partOfGuide(path, parts, source.github_coordinate);
    if (part === undefined) continue;
    const { content } = await ctx.tx
      .selectFrom('changelog_files')
      .select('content')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const text = { text: content, names: sourceNames(sourceInOrg), filename: fileNameOf(path) };
    const guide = guideFrom(await sectionsOf(ctx, text));
    const nearer = guides.get(part);
    guides.set(part, nearer ? (version) => nearer(version) ?? guide(version) : guide);
  }
  return guides;
}

// Only the parsing of sections runs on a thread: sections can be cloned, the lookup function cannot.
function sectionsOf(ctx: Context, guide: GuideText): Promise<Map<string, GuideSection>> {
  return resultOf(ctx, { task: GUIDE_READING, input: guide, size: guide.text.length });
}

// Works out what a guide needs, before the transaction that takes notes from it opens.
export async function prepareGuide(ctx: Context, guide: GuideText): Promise<void> {
  for (const { text } of (await sectionsOf(ctx, guide)).values()) await prepareSteps(ctx, text);
}

// Undefined when the package of the guide is unclear.
function partOfGuide(path: string, known: PartsOfSource, coordinate: string | null): string | null | undefined {
  const folder = folderOf(path);
  if (!isForRepository(path) && known.parts.length > 0) {
    const name = lastSegment(folder);
    return partOfPackage(known.parts, { name, folder }) ?? known.parts.find((part) => lastSegment(part) === name);
  }
  const choice = choosePart(known, { mapped: null, names: [], inBounds: [], coordinate });
  return 'part' in choice ? choice.part : undefined;
}

const COLUMNS = ['r.id', 'r.version', 'r.package_part', 'r.breaking', 'r.migration_notes', 'r.pinned'] as const;

// Releases with a section of a guide and, when there is a guide, all breaking releases.
async function openReleases(ctx: WriteContext, sourceId: string, hasGuide: boolean) {
  const guided = await ctx.tx
    .selectFrom('guide_notes as g')
    .innerJoin('releases as r', 'r.id', 'g.release_id')
    .select([...COLUMNS, 'g.notes as guided'])
    .where('g.source_id', '=', sourceId)
    .execute();
  if (!hasGuide) return guided;
  const known = new Set(guided.map(({ id }) => id));
  const bare = await ctx.tx
    .selectFrom('releases as r')
    .select([...COLUMNS, sql<string | null>`NULL`.as('guided')])
    .where('r.source_id', '=', sourceId)
    .where('r.version_sort', 'is not', null)
    .where('r.breaking', 'in', ['minor', 'major'])
    .execute();
  return [...guided, ...bare.filter(({ id }) => !known.has(id))];
}

async function remember(
  ctx: WriteContext,
  { sourceId, releaseId, notes }: { sourceId: string; releaseId: string; notes: string },
): Promise<void> {
  const section = { notes, upgrade_steps: await stepsColumn(ctx, notes) };
  await ctx.tx
    .insertInto('guide_notes')
    .values({ release_id: releaseId, source_id: sourceId, ...section })
    .onConflict((conflict) => conflict.column('release_id').doUpdateSet(section))
    .execute();
}

async function forget(ctx: WriteContext, releaseId: string): Promise<void> {
  await ctx.tx.deleteFrom('guide_notes').where('release_id', '=', releaseId).execute();
}
