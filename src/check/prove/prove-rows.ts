// `--prove`: the project is compiled with the old and with the new version of a package in its place. What fails only with the
// new one is proof. Whoever has waited long enough stops it, and keeps the rest of the report.
import type { ReportRow, RowProof } from '../../domain/upgrade/report/row.ts';
import type { SourceFile } from '../../domain/uses/project.ts';
import { makeUse } from '../../domain/uses/use.ts';
import type { PackedPackage } from '../../threads/evidence.ts';
import { projectSources } from '../sources.ts';
import { type Proof, proofOnThread } from './checker.ts';

export interface ProofOptions {
  folder: string;
  signal: AbortSignal;
  // The archives of both versions; null when they cannot be had.
  pairOf(row: ReportRow): Promise<{ old: PackedPackage; next: PackedPackage } | null>;
  onStage(done: number, total: number, detail: string): void;
}

const TYPED = /\.[cm]?tsx?$/;

export async function withProofs(rows: readonly ReportRow[], options: ProofOptions): Promise<ReportRow[]> {
  const asked = rows.filter(isProvable);
  const { files } = await projectSources(options.folder, options.signal);
  if (!files.some(({ path }) => TYPED.test(path))) return [...rows];
  const proofs = new Map<ReportRow, RowProof>();
  for (const [index, row] of asked.entries()) {
    if (options.signal.aborted) break;
    options.onStage(index, asked.length, `${row.package} ${row.from} → ${row.to}`);
    const proof = await proofOf(row, files, options);
    if (proof) proofs.set(row, proof);
  }
  options.onStage(asked.length, asked.length, '');
  return rows.map((row) => {
    const proof = proofs.get(row);
    if (!proof) return row;
    const isBroken = proof.errors.length > 0;
    return { ...row, proof, ...(isBroken && { use: makeUse('used', proof.errors) }) };
  });
}

// What the project itself installs and imports, unless nothing of it is known to be imported.
function isProvable({ ecosystem, direct, judgement, use }: ReportRow): boolean {
  return ecosystem === 'npm' && direct !== false && judgement !== null && use?.use !== 'not_imported';
}

async function proofOf(
  row: ReportRow,
  files: readonly SourceFile[],
  { folder, signal, pairOf }: ProofOptions,
): Promise<RowProof | null> {
  try {
    const pair = await pairOf(row);
    return pair && told(await proofOnThread({ root: folder, files, ...pair }, signal));
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function told(proof: Proof): RowProof {
  if (proof.kind !== 'compiled') return { status: 'not_done', reason: proof.reason, errors: [] };
  return { status: 'compiled', reason: null, errors: proof.errors };
}
