import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readPythonFile } from './python-file.ts';

it('a name has the line where a long import writes it', () => {
  const touches = readPythonFile('from lamp import (\n  post,\n  get as g,\n)\ng(1)\n')?.touches ?? [];
  assert.deepEqual(
    touches.map(({ path, line, kind }) => [path.join('.'), line, kind]),
    [
      ['lamp.post', 2, 'import'],
      ['lamp.get', 3, 'import'],
      ['lamp.get', 5, 'value'],
    ],
  );
});
