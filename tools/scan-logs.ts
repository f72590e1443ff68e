// The last step of `npm test`: the logs of the tests' services contain no credential.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets } from './log-secrets.ts';

const folder = process.env.REGISTRY_TEST_LOG_DIR;
const files = folder ? readdirSync(folder).map((name) => join(folder, name)) : [];
let lines = 0;
let findings = 0;
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  lines += text.split('\n').length - 1;
  for (const { line, kind } of findSecrets(text)) {
    findings += 1;
    console.error(`${file}:${line}: looks like a ${kind}`);
  }
}
console.log(`logs: ${files.length} files, ${lines} lines, ${findings} findings`);
process.exitCode = findings === 0 ? 0 : 1;
