// `--prove`: the project is compiled with the old and with the new version of a package in its place. What fails only with the
// new one is proof. Whoever has waited long enough stops it, and keeps the rest of the report.
import { factsOfEcosystem } from '../../domain/ecosystems/index.ts';
import { cutWithEllipsis } from '../../domain/notes/cut.ts';
import type { ReportRow, RowProof } from '../../domain/upgrade/report/row.ts';
import { makeUse } from '../../domain/uses/use.ts';
import type { PackedPackage } from '../../threads/evidence.ts';
import type { Environment } from '../npmrc/settings.ts';
import { type ProjectSources, projectSources } from '../sources.ts';
import { type Proof, proofOnThread } from './checker.ts';
import { unreadWords } from './unread.ts';

export interface ProofOptions {
  env: Environment;
  folder: string;
  signal: AbortSignal;
  // The archives of both versions, or why there are none.
  pairOf(row: ReportRow): Promise<{ old: PackedPackage; next: PackedPackage } | { refused: string }>;
  onStage(done: number, total: number, detail: string): void;
}

const notDone = (reason: string): RowProof => ({ status: 'not_done', reason, errors: [] });
const STOPPED = notDone('stopped before it was compiled');

// Null when the person has stopped it already.
async function sourcesOf({ folder, env, signal }: ProofOptions): Promise<ProjectSources | null> {
  try {
    return await projectSources(folder, { env, signal });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

const TYPED = /\.[cm]?tsx?$/;

export async function withProofs(rows: readonly ReportRow[], options: ProofOptions): Promise<ReportRow[]> {
  const asked = rows.filter(isProvable);
  const sources = await sourcesOf(options);
  if (sources?.files.some(({ path }) => TYPED.test(path)) === false) {
    return rows.map((row) => (asked.includes(row) ? { ...row, proof: notDone('the project has no TypeScript') } : row));
  }
  const proofs = new Map(asked.map((row): [ReportRow, RowProof] => [row, STOPPED]));
  let done = 0;
  for (const row of asked) {
    if (sources === null || options.signal.aborted) break;
    options.onStage(done, asked.length, `${row.package} ${row.from} → ${row.to}`);
    proofs.set(row, (await proofOf(row, sources, options)) ?? STOPPED);
    if (!options.signal.aborted) done += 1;
  }
  options.onStage(done, asked.length, options.signal.aborted ? 'stopped' : '');
  return rows.map((row) => {
    const proof = proofs.get(row);
    if (!proof) return withCause(row);
    const [error] = proof.errors;
    // A change that is known to be used keeps its places.
    if (!error || row.use?.use === 'used') return { ...row, proof };
    const words = `does not compile: ${cutWithEllipsis(error.message, MAX_MESSAGE)}`;
    // What a security update repairs is said as well.
    const reason = row.security ? `${row.reason}; ${words}` : words;
    return { ...row, proof, use: makeUse('used', proof.errors), reason };
  });
}

// What is not compiled says so, unless there is nothing of npm to compile with.
function withCause(row: ReportRow): ReportRow {
  if (!isCompiled(row) || row.judgement === null || row.notFromRegistry) return row;
  const cause = row.direct === false ? 'which only other packages load' : 'which nothing here imports';
  return { ...row, proof: notDone(cause) };
}

// The compiler goes on about every overload that does not match.
const MAX_MESSAGE = 200;

function isCompiled({ ecosystem }: ReportRow): boolean {
  return factsOfEcosystem(ecosystem).language === 'javascript';
}

// What the project itself installs and imports, unless nothing of it is known to be imported.
function isProvable(row: ReportRow): boolean {
  const { direct, judgement, use, notFromRegistry } = row;
  const isAsked = isCompiled(row) && judgement !== null && !notFromRegistry;
  return isAsked && direct !== false && use?.use !== 'not_imported';
}

async function proofOf(
  row: ReportRow,
  { files, leftOut }: ProjectSources,
  { folder, signal, pairOf }: ProofOptions,
): Promise<RowProof | null> {
  try {
    const pair = await pairOf(row);
    if ('refused' in pair) return signal.aborted ? null : notDone(pair.refused);
    const unread = leftOut.reduce((sum, { count }) => sum + count, 0);
    return told(await proofOnThread({ root: folder, files, ...pair }, signal), folder, unread);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function told(proof: Proof, folder: string, unread: number): RowProof {
  if (proof.kind !== 'compiled') return notDone(proof.reason);
  const left = proof.leftOut + unread;
  const gaps = [
    ...(left > 0 ? [`${left} ${left === 1 ? 'file was' : 'files were'} left out`] : []),
    ...unreadWords(proof.unread).map((words) => `without ${words}`),
  ];
  const reason = gaps.length > 0 ? gaps.join('; ') : null;
  const errors = proof.errors.map((error) => ({ ...error, message: error.message.replaceAll(`${folder}/`, '') }));
  return { status: 'compiled', reason, errors };
}
