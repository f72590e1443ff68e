// The edits that add the made-up source type, besides its folder: an entry among the source types, and one among the
// adapters.
export const TYPES_FILE = 'src/domain/source-types.ts';
export const ADAPTERS_FILE = 'src/ingest/adapters/index.ts';
export const FOLDER_IMPORT = './gopher/index.ts';

interface Edit {
  file: string;
  after: string;
  added: string;
}

const EDITS: readonly Edit[] = [
  { file: TYPES_FILE, after: 'const TYPES = {', added: '\n  gopher: sourceType({ hasVersionSteps: false }),' },
  { file: ADAPTERS_FILE, after: '  github,\n', added: '  gopher,\n' },
  {
    file: ADAPTERS_FILE,
    after: "import { github } from './github/index.ts';\n",
    added: `import { gopher } from '${FOLDER_IMPORT}';\n`,
  },
];

// The text of a file of the program after the edits.
export function edited(file: string, text: string): string {
  return EDITS.filter((edit) => edit.file === file).reduce((sofar, { after, added }) => {
    if (!sofar.includes(after)) throw new Error(`${file} has no ${after}`);
    return sofar.replace(after, `${after}${added}`);
  }, text);
}
