// Reads a manifest on a thread, which loads the module of its task with all that it imports, so no queries stand here.
import { readManifest } from '../../domain/upgrade/manifests/read-manifest.ts';
import { threadTask } from '../../threads/task.ts';

export function readManifestText({ filename, text }: { filename: string; text: string }) {
  return readManifest(filename, text);
}

export const MANIFEST_READING = threadTask(import.meta.url, readManifestText);
