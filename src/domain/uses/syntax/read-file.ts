// Everything that one file does with modules.

import type { SourceFile } from '../project.ts';
import { extensionOf, isComponent, scriptOf, templateReads } from '../script-blocks.ts';
import type { FileUses, Touch } from '../touch.ts';
import { moduleExports } from './module-exports.ts';
import type { Origins } from './origins.ts';
import { type Parsed, parseScript } from './parse.ts';
import { touchesOf } from './touches.ts';

const NOTHING: FileUses = { touches: [], exports: { names: new Map(), stars: [] }, dynamic: [], isBroken: false };

// Null when the file cannot be parsed at all.
export function readFile({ path, text }: SourceFile): FileUses | null {
  if (!/\b(?:import|require|export|createRequire|reference|module|mock)\b/.test(text)) return NOTHING;
  try {
    const script = isComponent(path) ? scriptOf(path, text) : { text, language: extensionOf(path) };
    const parsed = parseScript(path, script.text, script.language);
    if (!parsed) return null;
    const { origins, touches, dynamic } = touchesOf(parsed.tree);
    if (isComponent(path)) touches.push(...readTemplate(text, origins, parsed));
    return { touches, exports: moduleExports(parsed.tree, origins), dynamic, isBroken: parsed.isBroken };
  } catch (error) {
    // Syntax that nests without end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readTemplate(text: string, origins: Origins, { tree }: Parsed): Touch[] {
  const bound = origins.atTop(tree);
  return templateReads(text, new Set(bound.keys())).flatMap(({ path: [name = '', ...rest], line }) =>
    (bound.get(name) ?? []).map((origin): Touch => {
      const path = [...origin.path, ...rest];
      const at = { lines: path.map(() => line), carried: origin.path.length, line };
      return {
        specifier: origin.specifier,
        path,
        ...at,
        kind: 'value',
        how: origin.how,
        isOpen: true,
        isComputed: false,
        given: null,
      };
    }),
  );
}
