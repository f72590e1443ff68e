// Verifies the signature of a received delivery, without a server.
import { readSigningKey, verifyDelivery } from '../../../../domain/webhooks/verify.ts';
import { EXIT, textFlag, UsageError } from '../../../command.ts';
import { clientCommand, type Session } from '../../client-command.ts';
import { readFile, readTextFile } from '../../files.ts';

export const webhookVerifyCommands = [
  clientCommand({
    name: 'webhook verify',
    summary: 'Check the signature of a message that was received: valid, or why it is not',
    flags: {
      'key-file': {
        type: 'string',
        value: 'file',
        complete: 'file',
        help: 'file with the key; else REGISTRY_WEBHOOK_KEY',
      },
      signature: { type: 'string', value: 'text', help: 'header X-Service-Signature or webhook-signature' },
      timestamp: { type: 'string', value: 'seconds', help: 'header X-Service-Timestamp or webhook-timestamp' },
      id: { type: 'string', value: 'id', help: 'header webhook-id; needed for webhook-signature' },
      'body-file': { type: 'string', value: 'file', complete: 'file', help: 'file with the bytes of the body' },
    },
    examples: [
      'registry webhook verify --key-file key.txt --signature sha256=… --timestamp 1767225600 --body-file body.json',
      'REGISTRY_WEBHOOK_KEY=whsec_… registry webhook verify --signature v1,… --timestamp 1767225600 --id evt_… --body-file body.json',
    ],
    async run({ env, flags, output }) {
      const required = (name: string) => {
        const value = textFlag(flags, name);
        if (value === undefined) throw new UsageError(`--${name} is required`);
        return value;
      };
      const [signature, timestamp, bodyFile] = [required('signature'), required('timestamp'), required('body-file')];
      const id = textFlag(flags, 'id');
      if (id === undefined && /(?:^|\s)v1,/.test(signature)) throw new UsageError('a v1 signature needs --id');
      const key = keyOf(env, flags);
      const body = readFile(bodyFile);
      const verdict = verifyDelivery({
        key,
        signature,
        timestamp,
        ...(id === undefined ? {} : { id }),
        body,
        now: Date.now(),
      });
      if (output.mode === 'json') output.json({ valid: verdict === 'valid', result: verdict });
      else output.line(verdict);
      return verdict === 'valid' ? EXIT.ok : EXIT.failure;
    },
  }),
];

function keyOf(env: Session['env'], flags: Session['flags']): Uint8Array {
  const file = textFlag(flags, 'key-file');
  const text = file === undefined ? env.REGISTRY_WEBHOOK_KEY : readTextFile(file);
  if (!text) throw new UsageError('give the key in --key-file or REGISTRY_WEBHOOK_KEY');
  const key = readSigningKey(text);
  if (key === null) throw new UsageError('the key must be 64 hex digits, or whsec_ and base64');
  return key;
}
