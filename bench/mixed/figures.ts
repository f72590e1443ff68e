// What a run under mixed load is judged by. Times are multiples of others of the same run, so that a slow machine changes
// neither side alone.
import type { Figure } from '../figures.ts';
import { percentiles } from '../search.ts';
import type { Losses } from './losses.ts';
import { KINDS, type Kind, type MixedLoad } from './mix.ts';
import type { ProcessState } from './processes.ts';

interface MixedRun {
  load: MixedLoad;
  losses: Losses;
  // At the start of the load, halfway, and at its end.
  states: { started: ProcessState[]; halfway: ProcessState[]; ended: ProcessState[] };
  died: number;
  errors: string[];
  codes: (number | null)[];
}

// Of the requests that are sent, as many have to be answered in the same time.
const MIN_ANSWERED = 0.98;
// The slowest hundredth of a kind against the slower ones of those that were sent alone. What is cached is answered at once or waits for
// something else, so it is held against reads that are not.
const MAX_RATIO = 20;
const BASE: Partial<Record<Kind, Kind>> = { 'cached read': 'uncached read' };
// Memory is flat when all processes together, or each of them, have grown by less. In the first half caches may fill.
const MAX_GROWTH = 0.15;
const MAX_GROWTH_MB = 40;

export function figuresOf(engine: string, run: MixedRun): Figure[] {
  return [
    answered(engine, run),
    failed(engine, run),
    ...KINDS.map((kind) => slowest(engine, kind, run)),
    memory(engine, run),
    lost(engine, run),
    undelivered(engine, run),
    down(engine, run),
  ];
}

function answered(engine: string, { load, states }: MixedRun): Figure {
  const { sent, answered: count, seconds } = load;
  const before = new Map(states.started.map(({ pid, processorMs }) => [pid, processorMs]));
  const work = states.ended.map(({ name, pid, processorMs }) => ({ name, ms: processorMs - (before.get(pid) ?? 0) }));
  const all = work.reduce((sum, { ms }) => sum + ms, 0);
  return {
    name: `mixed load, answers (${engine})`,
    value: count / seconds,
    unit: 'req/s',
    target: `≥ ${MIN_ANSWERED} of those sent`,
    holds: count >= MIN_ANSWERED * sent,
    detail: `${count} of ${sent} in ${seconds.toFixed(0)} s; processor time ${(all / count).toFixed(2)} ms each, in seconds: ${work
      .map(({ name, ms }) => `${name} ${(ms / 1000).toFixed(1)}`)
      .join(', ')}`,
  };
}

function failed(engine: string, { load }: MixedRun): Figure {
  const value = Object.values(load.failures).reduce((sum, count) => sum + count, 0);
  const kinds = Object.entries(load.failures).map(([kind, count]) => `${kind} (${count})`);
  return {
    name: `mixed load, refused or without answer (${engine})`,
    value,
    unit: '',
    target: '0',
    holds: value === 0,
    detail: kinds.join(', ') || 'none',
  };
}

function slowest(engine: string, kind: Kind, { load }: MixedRun): Figure {
  const base = BASE[kind] ?? kind;
  const { p50, p99 } = percentiles(load.times[kind]);
  const alone = percentiles(load.alone[base]).p95;
  const ratio = p99 / alone;
  return {
    name: `mixed load, ${kind} (${engine})`,
    value: ratio,
    unit: `p99 as times of the p95 of ${base === kind ? 'one' : `an ${base}`} alone`,
    target: `≤ ${MAX_RATIO}`,
    holds: ratio <= MAX_RATIO,
    detail: `p50 / p99: ${p50.toFixed(1)} / ${p99.toFixed(1)} ms over ${load.times[kind].length}; ${base} alone ${alone.toFixed(1)} ms (p95)`,
  };
}

function memory(engine: string, { states: { started, halfway, ended } }: MixedRun): Figure {
  const sum = (states: readonly ProcessState[]) => states.reduce((all, { residentMb }) => all + residentMb, 0);
  const growth = sum(ended) / sum(halfway) - 1;
  const grown = ended.map((state, index) => {
    const before = halfway[index]?.residentMb ?? 0;
    return { ...state, first: started[index]?.residentMb ?? 0, before, mb: state.residentMb - before };
  });
  return {
    name: `mixed load, growth of memory (${engine})`,
    value: 100 * growth,
    unit: '% in the second half',
    target: `< ${100 * MAX_GROWTH}, or ${MAX_GROWTH_MB} MB a process`,
    holds: growth < MAX_GROWTH || grown.every(({ mb }) => mb < MAX_GROWTH_MB),
    detail: `MB at the start, halfway and at the end: ${grown
      .map(
        ({ name, first, before, residentMb }) => `${name} ${[first, before, residentMb].map(Math.round).join(' → ')}`,
      )
      .join(', ')}`,
  };
}

function lost(engine: string, { load, losses }: MixedRun): Figure {
  const value = losses.lost + losses.repeated + losses.gaps + losses.unmatched;
  return {
    name: `mixed load, writes lost or doubled (${engine})`,
    value,
    unit: '',
    target: '0',
    holds: value === 0,
    detail: `${load.acknowledged.length} confirmed: ${losses.lost} lost, ${losses.repeated} stored twice; ${losses.gaps} gaps in the numbers of events, ${losses.unmatched} releases without exactly one`,
  };
}

function undelivered(engine: string, { losses }: MixedRun): Figure {
  const { p50, p99 } = percentiles(losses.delays);
  return {
    name: `mixed load, events not delivered (${engine})`,
    value: losses.undelivered,
    unit: '',
    target: '0',
    holds: losses.undelivered === 0 && losses.events > 0,
    detail: `of ${losses.events}; ${losses.deliveredAgain} delivered again; delivered after ${(p50 / 1000).toFixed(2)} s (p50), ${(p99 / 1000).toFixed(2)} s (p99)`,
  };
}

function down(engine: string, { died, errors, codes }: MixedRun): Figure {
  const kinds = [...Map.groupBy(errors, (text) => text)].map(([text, all]) => `${text} (${all.length})`);
  return {
    name: `mixed load, processes that ended and errors logged (${engine})`,
    value: died + errors.length,
    unit: '',
    target: '0',
    holds: died === 0 && errors.length === 0 && codes.every((code) => code === 0),
    detail: [`${died} ended`, `${errors.length} errors`, ...kinds, `stopped with ${codes.join(', ')}`].join('; '),
  };
}
