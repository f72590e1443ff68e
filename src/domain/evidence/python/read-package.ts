// A wheel or a source archive as a package in memory.
import { readArchive } from '../../archive/read-archive.ts';
import { readZip } from '../../archive/read-zip.ts';
import { isPythonText, type ReadPython, readPython } from './layout.ts';

type PythonReading =
  | { files: ReadPython; refused?: never; isLarge?: never }
  | { refused: string; isLarge: boolean; files?: never };

const MAX_TEXT_SIZE = 3_000_000;
const LARGE: ReadonlySet<string> = new Set(['too_large', 'ratio', 'too_many_entries']);

export async function readPythonPackage(archive: Uint8Array): Promise<PythonReading> {
  const paths = new Set<string>();
  const wanted = (path: string, size: number) => {
    paths.add(path);
    return size <= MAX_TEXT_SIZE && isPythonText(path);
  };
  const isZip = archive[0] === 0x50 && archive[1] === 0x4b;
  const { files, refusal } = isZip ? readZip(archive, { wanted }) : await readArchive(archive, { wanted });
  if (refusal) return { refused: refusal.text, isLarge: LARGE.has(refusal.reason) };
  const decoder = new TextDecoder();
  const texts = new Map([...files].map(([path, bytes]) => [path, decoder.decode(bytes)]));
  const read = readPython({ texts, paths });
  return read === null
    ? { refused: 'the archive tells no name and version of a Python package', isLarge: false }
    : { files: read };
}
