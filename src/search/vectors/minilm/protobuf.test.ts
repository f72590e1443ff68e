import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Message } from './protobuf.ts';

function hex(message: Message): string {
  const bytes = Buffer.concat(message.parts);
  assert.equal(bytes.length, message.length);
  return bytes.toString('hex');
}

const cases: [name: string, message: Message, expected: string][] = [
  ['a small number', new Message().int(1, 150), '089601'],
  ['a negative number', new Message().int(1, -1), '08ffffffffffffffffff01'],
  ['a text', new Message().text(2, 'testing'), '120774657374696e67'],
  ['a message', new Message().message(3, new Message().int(1, 150)), '1a03089601'],
  ['a float', new Message().float(2, 1.5), '150000c03f'],
  ['a high field', new Message().int(20, 7), 'a00107'],
];
for (const [name, message, expected] of cases) {
  it(`${name} on the wire`, () => assert.equal(hex(message), expected));
}
