import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { pythonUseOf } from './use-of.ts';
import { readUses } from './uses.fixture.ts';

function said(text: string, name: string, packageName = 'requests'): string {
  const { use, places } = pythonUseOf(readUses([{ path: 'a.py', text }]), packageName, name);
  return [use, ...places.map(({ line }) => line)].join(' ');
}

const cases: [title: string, text: string, name: string, expected: string][] = [
  ['an attribute', 'import requests\nrequests.get("x")', 'get', 'used 2'],
  ['under another name', 'import requests as r\nr.get("x")', 'requests.get', 'used 2'],
  ['a name of the module', 'from requests import (\n  get as g,\n  post,\n)\ng(1)', 'get', 'used 5'],
  ['an import that nobody reads', 'from requests import get', 'get', 'imported_not_used 1'],
  ['a submodule', 'import requests.adapters\nrequests.adapters.HTTPAdapter()', 'adapters.HTTPAdapter', 'used 2'],
  ['a star', 'from requests import *\nget(1)', 'get', 'unclear 1'],
  ['getattr', 'import requests\ngetattr(requests, name)()', 'get', 'unclear 2'],
  ['nothing of it', 'import requests\nrequests.post(1)', 'get', 'not_used'],
  [
    'comments and texts',
    'import requests\nrequests.post(1)\n# requests.delete(1)\n"""requests.put"""',
    'options',
    'not_used',
  ],
  ['a module by another name than its package', 'import other', 'get', 'unclear'],
];
for (const [title, text, name, expected] of cases) it(title, () => assert.equal(said(text, name), expected));

it('a package whose module has another name', () => {
  assert.equal(said('import yaml\nyaml.load(x)', 'yaml.load', 'PyYAML'), 'used 2');
});
