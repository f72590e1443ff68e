// The compiler as checks and tests start it.
import { join, resolve } from 'node:path';

export const COMPILER = join(resolve(import.meta.dirname, '../..'), 'node_modules', '.bin', 'tsc');

// On several threads it does half as much again in all, at the cost of what runs beside it.
export const COMPILER_ARGS = ['--noEmit', '--singleThreaded'];

// Compilers written in Go end soon, so collecting garbage is a fifth of their work for nothing, up to a size for which
// every machine has room.
export const COMPILER_ENV = { GOGC: 'off', GOMEMLIMIT: '2GiB' };
