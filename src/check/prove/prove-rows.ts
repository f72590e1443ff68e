// `--prove`: the project is compiled with the old and with the new version of a package in its place. What fails only with the
// new one is proof. Whoever has waited long enough stops it, and keeps the rest of the report.
import { cutWithEllipsis } from '../../domain/notes/cut.ts';
import type { ReportRow, RowProof } from '../../domain/upgrade/report/row.ts';
import { makeUse } from '../../domain/uses/use.ts';
import type { PackedPackage } from '../../threads/evidence.ts';
import { type ProjectSources, projectSources } from '../sources.ts';
import { type Proof, proofOnThread } from './checker.ts';

export interface ProofOptions {
  folder: string;
  signal: AbortSignal;
  // The archives of both versions; null when they cannot be had.
  pairOf(row: ReportRow): Promise<{ old: PackedPackage; next: PackedPackage } | null>;
  onStage(done: number, total: number, detail: string): void;
}

const notDone = (reason: string): RowProof => ({ status: 'not_done', reason, errors: [] });
const STOPPED = notDone('stopped before it was compiled');

// Null when the person has stopped it already.
async function sourcesOf({ folder, signal }: ProofOptions): Promise<ProjectSources | null> {
  try {
    return await projectSources(folder, signal);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

const TYPED = /\.[cm]?tsx?$/;

export async function withProofs(rows: readonly ReportRow[], options: ProofOptions): Promise<ReportRow[]> {
  const asked = rows.filter(isProvable);
  const sources = await sourcesOf(options);
  if (sources?.files.some(({ path }) => TYPED.test(path)) === false) return [...rows];
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
    if (!proof) return row;
    const [error] = proof.errors;
    // A change that is known to be used keeps its places.
    if (!error || row.use?.use === 'used') return { ...row, proof };
    const words = `does not compile: ${cutWithEllipsis(error.message, MAX_MESSAGE)}`;
    // What a security update repairs is said as well.
    const reason = row.security ? `${row.reason}; ${words}` : words;
    return { ...row, proof, use: makeUse('used', proof.errors), reason };
  });
}

// The compiler goes on about every overload that does not match.
const MAX_MESSAGE = 200;

// What the project itself installs and imports, unless nothing of it is known to be imported.
function isProvable({ ecosystem, direct, judgement, use, notFromRegistry }: ReportRow): boolean {
  const isAsked = ecosystem === 'npm' && judgement !== null && !notFromRegistry;
  return isAsked && direct !== false && use?.use !== 'not_imported';
}

async function proofOf(
  row: ReportRow,
  { files, leftOut }: ProjectSources,
  { folder, signal, pairOf }: ProofOptions,
): Promise<RowProof | null> {
  try {
    const pair = await pairOf(row);
    if (pair === null) return signal.aborted ? null : notDone('the published packages are not available');
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
  const reason = left > 0 ? `${left} ${left === 1 ? 'file was' : 'files were'} left out` : null;
  const errors = proof.errors.map((error) => ({ ...error, message: error.message.replaceAll(`${folder}/`, '') }));
  return { status: 'compiled', reason, errors };
}
