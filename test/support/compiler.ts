// How checks and tests start the compiler.
import { join, resolve } from 'node:path';

export const COMPILER = join(resolve(import.meta.dirname, '../..'), 'node_modules', '.bin', 'tsc');

// On several threads it uses half as much processor time again, which other jobs need.
export const COMPILER_ARGS = ['--noEmit', '--singleThreaded'];

// Compilers written in Go end soon, so collecting garbage is a fifth of their work for nothing, up to a size for which
// every machine has room.
export const COMPILER_ENV = { GOGC: 'off', GOMEMLIMIT: '2GiB' };
