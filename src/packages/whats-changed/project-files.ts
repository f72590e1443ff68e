// Parses the files of a project on a thread, into a list that fits into a report.
import { z } from 'zod';
import { ECOSYSTEMS } from '../../domain/published-package.ts';
import { privateNames } from '../../domain/upgrade/lockfiles/private-names.ts';
import { PACKAGE_SOURCES } from '../../domain/upgrade/lockfiles/types.ts';
import {
  MAX_UPGRADES,
  OTHER_REASONS,
  PROJECT_KINDS,
  type ProjectUpgrades,
  readUpgrades,
  type UnreadableFiles,
} from '../../domain/upgrade/lockfiles/upgrades.ts';
import { MAX_INLINE_CHARS, onRequestThread } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';

// The most listed packages that cannot be compared; further ones are only counted.
export const MAX_OTHERS = 300;

interface ProjectFiles {
  files: Parameters<typeof readUpgrades>[0];
  // The packages as somebody else has read them from the files.
  readBefore?: string;
  // Also the indirect dependencies of a lockfile alone.
  isWhole?: boolean;
  // Hosts of registries that count as public besides those that everybody knows.
  publicHosts?: readonly string[];
}

const version = z.string().min(1).max(200);
const known = z.boolean().nullable().default(null);
const ref = z.string().max(1000).nullable().default(null);
const change = {
  ecosystem: z.enum(ECOSYSTEMS),
  name: z.string().min(1).max(214),
  direct: known,
  dev: known,
  optional: known,
  source: z.enum(PACKAGE_SOURCES).default('registry'),
  fromRef: ref,
  toRef: ref,
  as: z.array(z.string().max(214)).max(100).default([]),
};

const readBeforeShape = z.object({
  kind: z.enum(PROJECT_KINDS),
  upgrades: z.array(z.object({ ...change, from: version, to: version })).max(MAX_UPGRADES),
  omitted: z.int().min(0),
  others: z
    .array(
      z.object({
        ...change,
        from: version.nullable().default(null),
        to: version.nullable().default(null),
        reason: z.enum(OTHER_REASONS),
      }),
    )
    .max(MAX_OTHERS),
  othersOmitted: z.int().min(0).default(0),
  hidden: z.int().min(0).default(0),
  elsewhere: z.int().min(0).default(0),
  otherEcosystems: z.int().min(0).default(0),
});

export async function readProject(files: ProjectFiles): Promise<ProjectUpgrades | UnreadableFiles> {
  const size = files.files.reduce((chars, { text }) => chars + text.length, files.readBefore?.length ?? 0);
  return size <= MAX_INLINE_CHARS ? readProjectFiles(files) : onRequestThread(PROJECT_READING, files);
}

export function readProjectFiles(given: ProjectFiles): ProjectUpgrades | UnreadableFiles {
  const { files, readBefore, isWhole = false, publicHosts = [] } = given;
  const read = readBefore ? sentBack(readBefore) : readUpgrades(files, isWhole);
  if ('problem' in read) return read;
  const others = read.others.slice(0, MAX_OTHERS);
  const listed = { ...read, others, othersOmitted: (read.othersOmitted ?? 0) + read.others.length - others.length };
  return publicHosts.length === 0 || readBefore ? listed : withoutPrivate(listed, files, publicHosts);
}

// The names of packages that another registry has are asked nowhere and stored nowhere.
function withoutPrivate(
  read: ProjectUpgrades,
  files: ProjectFiles['files'],
  publicHosts: readonly string[],
): ProjectUpgrades {
  const names = new Set(files.flatMap(({ text }) => [...privateNames(text, publicHosts)]));
  if (names.size === 0) return read;
  const upgrades = read.upgrades.filter(({ name }) => !names.has(name));
  const others = read.others.filter(({ name }) => !names.has(name));
  const hidden = read.upgrades.length - upgrades.length + read.others.length - others.length;
  return { ...read, upgrades, others, hidden: (read.hidden ?? 0) + hidden };
}

const PROJECT_READING = threadTask(import.meta.url, readProjectFiles);

function sentBack(text: string): ProjectUpgrades | UnreadableFiles {
  const read = readBeforeShape.safeParse(jsonOf(text));
  return read.success ? read.data : { problem: 'The report cannot be read back. Give the files again.' };
}

function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}
