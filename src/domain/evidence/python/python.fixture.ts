// Python packages made of texts, as a wheel holds them.
import { type ReadPython, readPython } from './layout.ts';

export const LAMP = 'lamp-1.0.0.dist-info/';

export function pythonPackage(files: Record<string, string>): ReadPython {
  const texts = new Map(Object.entries({ [`${LAMP}METADATA`]: 'Name: lamp\nVersion: 1.0.0\n', ...files }));
  const read = readPython({ texts, paths: new Set(texts.keys()) });
  if (read === null) throw new Error('the fixture tells no name');
  return read;
}
