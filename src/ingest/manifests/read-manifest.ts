import { createHash } from 'node:crypto';
import { type ManifestFile, manifestFile } from '../../contract/manifest-file.ts';
import type { PointedIssue } from '../../contract/manifest-sync.ts';

export type ManifestReading =
  | { result: 'ok'; hash: string; file: ManifestFile }
  | { result: 'invalid_json' }
  | { result: 'invalid_schema'; issues: PointedIssue[] };

const MOST_ISSUES = 20;

export function readManifest(bytes: Uint8Array): ManifestReading {
  const json = parse(bytes);
  if (json === undefined) return { result: 'invalid_json' };
  const checked = manifestFile.safeParse(json);
  if (checked.success) {
    return { result: 'ok', hash: createHash('sha256').update(bytes).digest('hex'), file: checked.data };
  }
  const issues = checked.error.issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => ({ pointer: pointerOf(path), reason: message }));
  return { result: 'invalid_schema', issues };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
