// Reads the long texts of a repository's files before the transaction that stores or applies them opens.

import type { Context } from '../../context.ts';
import { changelogKind, fileNameOf } from '../../domain/changelog/files.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { changelogIndexing } from '../../releases/changelog-files/store-file.ts';
import { prepareChunks } from '../../releases/indexing/rebuild-chunks.ts';
import { resultOf, withResults } from '../../threads/results.ts';
import type { OriginalFile, StoredChangelog } from '../adapters/contract.ts';
import { fillRows, sourceNames } from './fill-stored.ts';
import { prepareGuide } from './guide-notes.ts';
import { readStoredFiles } from './stored.ts';

interface FreshFiles {
  files: readonly OriginalFile[];
  // The path of the file that will be the canonical one.
  canonical: string | undefined;
}

// The context for the transaction of a refresh.
export async function prepareRefresh(ctx: Context, sourceInOrg: SourceInOrg, fresh: FreshFiles): Promise<Context> {
  const ahead = withResults(ctx);
  const { canonical } = fresh;
  const changed = new Map<string, StoredChangelog>();
  for (const { path, url, text } of fresh.files) {
    const { content } = await resultOf(ahead, changelogIndexing(text));
    changed.set(path, { path, url, content, canonical: path === canonical });
  }
  const kept = (await readStoredFiles(ctx, sourceInOrg.source.id)).filter(({ path }) => !changed.has(path));
  const files = [...kept.map((file) => ({ ...file, canonical: file.path === canonical })), ...changed.values()];
  await prepareTexts(ahead, sourceInOrg, { files: inOrder(files), changed: [...changed.values()] });
  return ahead;
}

// The context for a transaction that parses all stored files again.
export async function prepareReread(ctx: Context, sourceInOrg: SourceInOrg): Promise<Context> {
  const ahead = withResults(ctx);
  const files = await readStoredFiles(ctx, sourceInOrg.source.id);
  await prepareTexts(ahead, sourceInOrg, { files, changed: files });
  return ahead;
}

interface FileTexts {
  files: readonly StoredChangelog[];
  changed: readonly StoredChangelog[];
}

async function prepareTexts(ctx: Context, sourceInOrg: SourceInOrg, { files, changed }: FileTexts): Promise<void> {
  for (const { content } of changed) await prepareChunks(ctx, sourceInOrg, content);
  const guides = files.filter(({ path }) => changelogKind(fileNameOf(path)) === 'guide');
  const names = sourceNames(sourceInOrg);
  for (const { path, content } of guides) await prepareGuide(ctx, { text: content, names, filename: fileNameOf(path) });
  if (changed.length > 0) await fillRows(ctx, sourceInOrg, async () => files);
}

// The order in which stored files are read.
function inOrder(files: readonly StoredChangelog[]): StoredChangelog[] {
  return files.toSorted((a, b) => Number(b.canonical) - Number(a.canonical) || (a.path < b.path ? -1 : 1));
}
