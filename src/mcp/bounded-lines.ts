// Passes on the lines of a stream up to a length. A longer line is dropped and reported, and the stream goes on with the next one.
import { Transform, type TransformCallback } from 'node:stream';

const LINE_FEED = 10;

export class BoundedLines extends Transform {
  readonly #most: number;
  readonly #onLong: () => void;
  #length = 0;
  // The line so far, which is passed on when it is complete.
  #parts: Buffer[] = [];

  constructor({ most, onLong }: { most: number; onLong: () => void }) {
    super();
    this.#most = most;
    this.#onLong = onLong;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, start);
      this.#take(chunk.subarray(start, end === -1 ? chunk.length : end + 1));
      if (end === -1) break;
      this.#endLine();
      start = end + 1;
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#endLine();
    done();
  }

  #take(part: Buffer): void {
    const isLong = this.#length > this.#most;
    this.#length += part.length;
    if (this.#length <= this.#most) this.#parts.push(part);
    else {
      this.#parts = [];
      if (!isLong) this.#onLong();
    }
  }

  #endLine(): void {
    if (this.#parts.length > 0) this.push(Buffer.concat(this.#parts));
    this.#parts = [];
    this.#length = 0;
  }
}
