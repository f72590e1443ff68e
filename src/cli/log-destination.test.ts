import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogDestination } from './log.ts';

function failing(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

describe('log destination', () => {
  it('writes whole lines, also in several pieces', () => {
    let written = '';
    const destination = createLogDestination(2, (bytes) => {
      const piece = Buffer.from(bytes).toString('utf8').slice(0, 3);
      written += piece;
      return piece.length;
    });

    destination.write('one line\n');

    assert.equal(written, 'one line\n');
  });

  it('waits for a reader that is slow', () => {
    let written = '';
    let refusals = 3;
    const destination = createLogDestination(2, (bytes) => {
      refusals -= 1;
      if (refusals >= 0) throw failing('EAGAIN');
      written += Buffer.from(bytes).toString('utf8');
      return bytes.length;
    });

    destination.write('late\n');

    assert.equal(written, 'late\n');
  });

  it('drops what cannot be written, goes on, and says how much is missing', () => {
    let written = '';
    let full = true;
    const destination = createLogDestination(2, (bytes) => {
      if (full) throw failing('ENOSPC');
      written += Buffer.from(bytes).toString('utf8');
      return bytes.length;
    });

    destination.write('lost\n');
    destination.write('lost too\n');
    full = false;
    destination.write('{"msg":"kept"}\n');
    destination.write('{"msg":"kept too"}\n');

    assert.deepEqual(
      written
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      [{ level: 40, dropped: 2, msg: 'log lines could not be written' }, { msg: 'kept' }, { msg: 'kept too' }],
    );
  });
});
