// A bill of materials in place of a lockfile. The code is that of the folder, the packages are those of the bill.
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readLockfile } from '../../domain/upgrade/lockfiles/read.ts';
import { boundaryOf } from '../git/repository.ts';
import { ProjectFault, projectFileAt } from '../local-file.ts';
import type { Project } from './read-project.ts';

const MAX_LENGTH = 16 * 1024 * 1024;

export function readBillProject(path: string, given: string): Project {
  const place = resolve(path);
  const file = basename(place);
  const inside = boundaryOf(dirname(place));
  const text = projectFileAt(join(dirname(place), file), { most: MAX_LENGTH, inside });
  if (text === null) throw new ProjectFault(`there is no file ${path}`);
  const locked = readLockfile({ filename: '', text });
  if (locked?.format !== 'CycloneDX' && locked?.format !== 'SPDX') {
    throw new ProjectFault(`${file} is no bill of materials in JSON (CycloneDX 1.4 to 1.6, SPDX 2.3 or 3.0)`);
  }
  const folder = resolve(given);
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) throw new ProjectFault(`there is no folder ${given}`);
  return { folder: stat.isFile() ? dirname(folder) : folder, name: file, file, text, manifests: [], locked };
}

// What of a bill is not compared.
export function billGaps({ locked: { otherEcosystems = 0 } }: Pick<Project, 'locked'>): string[] {
  if (otherEcosystems === 0) return [];
  const is = otherEcosystems === 1 ? 'component is' : 'components are';
  return [`${otherEcosystems} ${is} of other ecosystems or without a version, which are not compared here`];
}
