// The processes of a service under load: two that serve, the one that watches them, and two workers.
import { readFileSync } from 'node:fs';
import { type RegistryProcess, startRegistry } from '../../test/support/registry-process.ts';
import { partProcesses, type RunningService, runService } from '../../test/support/running-service.ts';
import { processorMsOf } from '../processor-time.ts';

export interface ProcessState {
  name: string;
  pid: number;
  // Zero for one that has ended.
  processorMs: number;
  residentMb: number;
}

interface ServiceProcesses {
  web: RunningService;
  states(): ProcessState[];
  // How many have ended by themselves so far, those that were started again included.
  died(): number;
  // What they have logged as errors.
  errors(): string[];
  stop(): Promise<(number | null)[]>;
}

const WEB = 2;
const WORKERS = 2;
const ERROR_LEVEL = 50;

export async function startProcesses(env: Record<string, string>): Promise<ServiceProcesses> {
  const web = await runService(['web', '--processes', String(WEB)], env);
  const workers = Array.from({ length: WORKERS }, () => startRegistry(['worker'], env));
  for (const worker of workers) await worker.printed(/worker started/, 'stderr');
  const all = [web.registry, ...workers];
  const pids = (): [string, number][] => [
    ['web', pidOf(web.registry)],
    ...partProcesses(web, /^web/).map(({ name, pid }): [string, number] => [name, pid]),
    ...workers.map((worker, index): [string, number] => [`worker ${index + 1}`, pidOf(worker)]),
  ];
  return {
    web,
    states: () => pids().map(([name, pid]) => ({ name, pid, ...measured(pid) })),
    died: () =>
      all.filter(({ child }) => child.exitCode !== null || child.signalCode !== null).length +
      all.flatMap((one) => one.logged()).filter(({ msg }) => String(msg).includes('ended by itself')).length,
    errors: () =>
      all
        .flatMap((one) => one.logged())
        .filter(({ level }) => Number(level) >= ERROR_LEVEL)
        .map(({ msg, err }) => `${msg}: ${(err as { message?: string } | undefined)?.message ?? ''}`),
    async stop() {
      for (const { child } of all) child.kill('SIGTERM');
      return Promise.all(all.map(async ({ ended }) => (await ended).code));
    },
  };
}

function pidOf({ child }: RegistryProcess): number {
  return child.pid ?? 0;
}

function measured(pid: number): Pick<ProcessState, 'processorMs' | 'residentMb'> {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return { processorMs: processorMsOf(pid), residentMb: Number(kilobytes) / 1024 };
  } catch {
    return { processorMs: 0, residentMb: 0 };
  }
}
