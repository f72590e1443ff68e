import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ProtobufMessage } from './protobuf.ts';

function hex(message: ProtobufMessage): string {
  const bytes = Buffer.concat(message.parts);
  assert.equal(bytes.length, message.length);
  return bytes.toString('hex');
}

const cases: [name: string, message: ProtobufMessage, expected: string][] = [
  ['a small number', new ProtobufMessage().int(1, 150), '089601'],
  ['a negative number', new ProtobufMessage().int(1, -1), '08ffffffffffffffffff01'],
  ['a text', new ProtobufMessage().text(2, 'testing'), '120774657374696e67'],
  ['a message', new ProtobufMessage().message(3, new ProtobufMessage().int(1, 150)), '1a03089601'],
  ['a float', new ProtobufMessage().float(2, 1.5), '150000c03f'],
  ['a high field', new ProtobufMessage().int(20, 7), 'a00107'],
];
for (const [name, message, expected] of cases) {
  it(`${name} on the wire`, () => assert.equal(hex(message), expected));
}
