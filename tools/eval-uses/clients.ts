// The clients of a truth set of steps: each compiles with the old version, and those of breaks fail with the new one.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { proofOnThread } from '../../src/check/prove/checker.ts';
import type { KeptPackages } from '../eval-api/packages.ts';

interface Client {
  file: string;
  resolution: string;
  isBreak: boolean;
}

interface Proven {
  failing: number;
  found: number;
  quiet: number;
  silent: number;
  notes: string[];
}

interface StepWithClients {
  id: string;
  package: string;
  from: string;
  to: string;
  breaks: readonly { proof: { client?: string | null; resolution?: string } }[];
  traps: readonly { client?: string; resolution?: string }[];
}

// What most projects have installed beside the package.
const BESIDE = [
  '@types/react@18.3.12',
  'csstype@3.1.3',
  '@types/prop-types@15.7.14',
  '@types/node@22.15.0',
  'undici-types@6.21.0',
];

const RESOLUTIONS: Record<string, Record<string, string>> = {
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  node10: { module: 'commonjs', moduleResolution: 'node10' },
};

export async function proveClients(folder: string, packages: KeptPackages, only: string): Promise<Proven> {
  const proven: Proven = { failing: 0, found: 0, quiet: 0, silent: 0, notes: [] };
  const beside = await Promise.all(BESIDE.map((name) => packages.one(name)));
  const steps = JSON.parse(readFileSync(join(folder, 'steps.json'), 'utf8')) as StepWithClients[];
  for (const step of steps.filter(({ id }) => id.startsWith(only))) {
    const clients = clientsOf(step).filter(({ file }) => existsSync(join(folder, file)));
    if (clients.length === 0) continue;
    const pair = await packages.pair(step.package, step.from, step.to);
    const others = beside.filter((_, index) => !BESIDE[index]?.startsWith(`${step.package}@`));
    for (const [resolution, group] of Map.groupBy(clients, (client) => client.resolution)) {
      const files = group.map(({ file }) => ({ path: basename(file), text: readFileSync(join(folder, file), 'utf8') }));
      const proof = await proofOnThread({
        root: '/project',
        files: [...files, ...manifests(resolution)],
        beside: others,
        ...pair,
      });
      const errors = proof.kind === 'compiled' ? proof.errors : [];
      if (proof.kind !== 'compiled') proven.notes.push(`${step.id}: ${proof.reason}`);
      for (const { file, isBreak } of group) {
        const error = errors.find((one) => one.file === basename(file));
        if (isBreak) proven.failing += 1;
        else proven.quiet += 1;
        if (isBreak && error) proven.found += 1;
        if (!isBreak && !error) proven.silent += 1;
        if (isBreak === (error === undefined))
          proven.notes.push(`${isBreak ? 'missed' : 'false alarm'} ${file} ${error?.message ?? ''}`);
      }
    }
  }
  return proven;
}

function clientsOf({ breaks, traps }: StepWithClients): Client[] {
  const all = [
    ...breaks.map(({ proof: { client, resolution } }) => ({ client, resolution, isBreak: true })),
    ...traps.map(({ client, resolution }) => ({ client, resolution, isBreak: false })),
  ];
  return all.flatMap(({ client, resolution = 'bundler', isBreak }) =>
    client ? [{ file: client, resolution, isBreak }] : [],
  );
}

function manifests(resolution: string): { path: string; text: string }[] {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
    strict: true,
    esModuleInterop: true,
    jsx: 'react-jsx',
    experimentalDecorators: true,
    types: ['node'],
    ...RESOLUTIONS[resolution],
  };
  return [
    { path: 'tsconfig.json', text: JSON.stringify({ compilerOptions }) },
    { path: 'package.json', text: JSON.stringify({ type: 'module' }) },
  ];
}
