// A report of the files of a project, as the form and the API take them.

import type { Context } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import type { ReportSummary } from '../../contract/report.ts';
import { randomBase62 } from '../../domain/secret-text.ts';
import type { ProjectUpgrades, UnreadableFiles } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { readProject } from '../whats-changed/project-files.ts';
import { makeReport } from './make.ts';

interface SentFiles {
  text?: string | undefined;
  filename?: string | undefined;
  old_text?: string | undefined;
  new_text?: string | undefined;
  diff?: string | undefined;
  read?: string | undefined;
}

export async function reportOfFiles(ctx: Context, sent: SentFiles, secret: string): Promise<ReportSummary> {
  const files = [
    { text: sent.old_text ?? '' },
    { text: sent.new_text ?? '' },
    { text: sent.text ?? '', ...(sent.filename && { filename: sent.filename }) },
    { text: sent.diff ?? '' },
  ];
  const read = await readForReport(ctx, { files, ...(sent.read && { readBefore: sent.read }) });
  if ('problem' in read) throw badRequest('text', read.problem);
  return makeReport(ctx, read, secret);
}

// With the indirect dependencies, and without what another registry than the public ones has.
export function readForReport(
  ctx: Context,
  given: Pick<Parameters<typeof readProject>[0], 'files' | 'readBefore'>,
): Promise<ProjectUpgrades | UnreadableFiles> {
  const publicHosts = Object.values(ctx.config.packages.urls).map((url) => new URL(url).host);
  return readProject({ ...given, isWhole: true, publicHosts });
}

export function newDeletionToken({ randomBytes }: Pick<Context, 'randomBytes'>): string {
  return `rdt_${randomBase62(22, randomBytes)}`;
}
