// Asks what an upgrade changes, and prints the answer.

import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { IMPORTED_ECOSYSTEM } from '../../../domain/ecosystems/index.ts';
import { failsOn, NOTES_LEVELS, type NotesLevel } from '../../../domain/upgrade/report/fail-on.ts';
import { reportMarkdown } from '../../../domain/upgrade/report/markdown.ts';
import { isBreak } from '../../../domain/upgrade/report/row.ts';
import { choiceFlag, EXIT, textFlag, UsageError } from '../../command.ts';
import { createProgress, type Progress } from '../../progress.ts';
import type { Session } from '../client-command.ts';
import { awaitReadings } from './await-reading.ts';
import type { DependencyChange } from './changes.ts';
import {
  type JudgedChange,
  judgeChanges,
  type OfflineRegistry,
  serverApi,
  type WhatsChangedApi,
} from './judge-changes.ts';
import { printAnswer, printBreaks } from './print.ts';
import { byRisk, notesTotals, rowsOf, unjudged, unjudgedLine } from './report.ts';
import { printReport } from './report-table.ts';
import { verdictOf } from './verdict.ts';

export async function askOne(session: Session): Promise<number> {
  const { args, api, flags, output } = session;
  const query = {
    package: args.package,
    from: args.from,
    to: args.to,
    ecosystem: textFlag(flags, 'ecosystem'),
    ...(flags['breaking-only'] ? { breaking_only: true } : {}),
  };
  let answer = await api.get<WhatsChanged>('/v1/whats-changed', query);
  if (await awaitReadings(session, [answer.reading])) {
    answer = await api.get<WhatsChanged>('/v1/whats-changed', query);
  }
  if (output.mode === 'markdown') output.text(await api.markdown('/v1/whats-changed', query));
  else if (output.mode === 'json') output.json(answer);
  else printAnswer(output, answer);
  const failOn = failOnOf(flags);
  const verdict = verdictOf(answer);
  if (failOn && unjudged([verdict]).length > 0) {
    output.note(`registry: --fail-on ${failOn} cannot judge this: ${verdict.text}`);
  }
  return failsOn([{ verdict: verdict.risk, judgement: null }], failOn).length > 0 ? EXIT.failure : EXIT.ok;
}

interface LockfileQuestion {
  before: string;
  after: string;
  withOfflineRegistry: OfflineRegistry | null;
}

export async function askLockfile(
  session: Session,
  { before, after, withOfflineRegistry }: LockfileQuestion,
): Promise<number> {
  const { offline } = session.flags;
  if (offline && withOfflineRegistry === null) {
    throw new UsageError('--offline needs the package with the server; use registry check --offline');
  }
  const { lockfileChanges } = await import('./changes.ts');
  const found = lockfileChanges(before, after);
  const judge = (whatsChanged: WhatsChangedApi) => judgeWithProgress(session, found.changes, whatsChanged);
  if (!offline || withOfflineRegistry === null)
    return report(session, { ...found, changes: await judge(serverApi(session.api)) });
  const names = new Set(
    found.changes.flatMap(({ ecosystem, source, name }) =>
      ecosystem === IMPORTED_ECOSYSTEM && source === 'registry' ? [name] : [],
    ),
  );
  if (names.size === 0) session.output.note('registry: --offline finds notes of npm packages only, in node_modules');
  const progress = progressOf(session, { label: 'changelogs', total: names.size, least: FEW_CHANGELOGS });
  const input = { lockfile: after, names, signal: session.signal, onProgress: progress.update };
  const changes = await withOfflineRegistry(input, (whatsChanged) => {
    progress.finish();
    return judge(whatsChanged);
  });
  return report(session, { ...found, changes });
}

export async function askManifest(session: Session, file: string): Promise<number> {
  const { manifestChanges } = await import('./changes.ts');
  const found = manifestChanges(file);
  return report(session, {
    ...found,
    changes: await judgeWithProgress(session, found.changes, serverApi(session.api)),
    isProposal: true,
  });
}

// Fewer packages than this take about two seconds, so no progress is shown.
const FEW_PACKAGES = 200;
const FEW_CHANGELOGS = 20;

async function judgeWithProgress(
  session: Session,
  changes: readonly DependencyChange[],
  whatsChanged: WhatsChangedApi,
) {
  const progress = progressOf(session, { label: 'packages', total: changes.length, least: FEW_PACKAGES });
  const judged = await judgeChanges(changes, {
    whatsChanged,
    onProgress: progress.update,
    awaitReadings: (readings) => {
      progress.finish();
      return awaitReadings(session, readings);
    },
  });
  progress.finish();
  return judged;
}

function progressOf({ output }: Session, work: { label: string; total: number; least: number }): Progress {
  if (work.total <= work.least || output.mode === 'json') return { update: () => {}, finish: () => {} };
  return createProgress(work);
}

interface Judged {
  changes: readonly JudgedChange[];
  truncated: boolean;
  isProposal?: boolean;
}

async function report({ flags, output }: Session, { changes, truncated, isProposal = false }: Judged): Promise<number> {
  const failOn = failOnOf(flags);
  const rows = rowsOf(changes);
  const failed = failsOn(rows, failOn);
  const breakingOnly = flags['breaking-only'] === true;
  const ordered = byRisk(changes);
  const listed = breakingOnly ? ordered.filter(({ row }) => isBreak(row)) : ordered;
  if (output.mode === 'json') {
    output.json({
      totals: notesTotals(changes),
      truncated,
      ...(failOn ? { failOn, failed: failed.length } : {}),
      packages: listed.map(asData),
    });
  } else if (output.mode === 'markdown') {
    output.text(reportMarkdown(rows, { breakingOnly, isProposal, remarks: truncated ? [`${CUT}.`] : [] }));
  } else {
    printReport(output, rows, { breakingOnly, isProposal });
    if (output.mode === 'terminal') {
      for (const { name, answer, row } of listed) if (isBreak(row)) printBreaks(output, name, answer);
    }
    if (truncated) output.note(CUT);
  }
  if (failOn && unjudged(changes).length > 0) {
    const all = `${unjudged(changes).length} of ${changes.length} changes`;
    output.note(`registry: --fail-on ${failOn} cannot judge ${all}: ${unjudgedLine(changes)}`);
  }
  if (failed.length === 0) return EXIT.ok;
  output.note(`registry: ${failed.length} of ${changes.length} changes fail the check --fail-on ${failOn}`);
  return EXIT.failure;
}

const CUT = 'The files name more packages than are read; the rest is not judged';

// As data a change has its judgement; how it is shown is no part of it.
function asData({ row: _, ...change }: JudgedChange) {
  return { ...change, judgement: change.answer?.judgement ?? null };
}

function failOnOf(flags: Session['flags']): NotesLevel | undefined {
  return choiceFlag(flags, 'fail-on', NOTES_LEVELS);
}
