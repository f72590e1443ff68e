// Where log lines go. A line that cannot be written is dropped and counted: no request fails for want of a log.
import { writeSync } from 'node:fs';
import { errorCode } from '../domain/records.ts';

interface LogDestination {
  write(line: string): void;
}

type WriteBytes = (bytes: Uint8Array) => number;

// A pipe whose reader is slow; more than this is not waited for.
const PAUSE_MS = 2;
const MOST_PAUSES = 50;

export function createLogDestination(
  fd: number,
  writeBytes: WriteBytes = (bytes) => writeSync(fd, bytes),
): LogDestination {
  let dropped = 0;

  function writeWhole(text: string): boolean {
    let rest: Uint8Array = Buffer.from(text);
    for (let pauses = 0; rest.length > 0; ) {
      try {
        rest = rest.subarray(writeBytes(rest));
      } catch (error) {
        if (errorCode(error) !== 'EAGAIN' || pauses === MOST_PAUSES) return false;
        pauses += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      }
    }
    return true;
  }

  return {
    write(line) {
      const missing =
        dropped > 0 ? `${JSON.stringify({ level: 40, dropped, msg: 'log lines could not be written' })}\n` : '';
      if (writeWhole(`${missing}${line}`)) dropped = 0;
      else dropped += 1;
    },
  };
}
