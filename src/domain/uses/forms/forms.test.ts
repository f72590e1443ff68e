import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findForms } from './find-forms.ts';
import { formsInNote } from './forms-in-notes.ts';

const SERVER = `const express = require('express');
const app = express();
// app.del('/old')
app.del('/x', handler);
app.get('*', (req, res) => {
  req.logout();
  req.logout(done);
  res.redirect('back');
  res.redirect('/home');
});
app.get('/users/:name?', show);
const text = "app.del('/y')";
const sum = a * b;
`;
const ROUTES = `module.exports = (req, res) => { req.logout(); user.logout(); res.location('back'); };\n`;

// Wording of real notes and guides.
const NOTES: [text: string, places: string[]][] = [
  ['`app.del()` was removed, use `app.delete()` instead', ['server.js:4']],
  [
    "`res.redirect('back')` and `res.location('back')` is no longer a supported magic string, explicitly use `req.get('Referrer') || '/'`.",
    ['server.js:8', 'routes.js:1'],
  ],
  [
    '`req#logout()` is now an asynchronous function and requires a callback function as the last argument.',
    ['routes.js:1', 'server.js:6'],
  ],
  ['The wildcard `*` must have a name, use `/*splat` instead of `*`', ['server.js:5']],
  ['The optional character `?` is no longer supported, so `/:file?` has to be written with braces', ['server.js:11']],
  ['the `.listen(port)` form is no longer supported, use `.listen({ port })`', []],
  ['Use `app.delete()` instead of `app.del()`', ['server.js:4']],
  ['`reply.redirect()` has a new signature: `reply.redirect(url, code?)`', []],
  ['`request.logout()` needs a callback', ['routes.js:1', 'server.js:6']],
  ['Dropped support for Node.js v18', []],
  ['The `strict` option was removed', []],
];

describe('forms of code that notes speak of', () => {
  for (const [text, places] of NOTES) {
    it(text, () => {
      const found = findForms(formsInNote(text), [
        { path: 'server.js', text: SERVER, isNear: true },
        { path: 'routes.js', text: ROUTES, isNear: false },
      ]);
      assert.deepEqual(
        found.flatMap((one) => one.places.map(({ file, line }) => `${file}:${line}`)).sort(),
        places.toSorted(),
      );
    });
  }

  it('are looked for in linear time', () => {
    const hostile = `${'a.bc('.repeat(50_000)}${'a'.repeat(200_000)}${'/*'.repeat(50_000)}${"'".repeat(100_000)}`;
    assert.deepEqual(
      findForms(formsInNote('`x.bc()` and `"*"` and `/:a?` changed'), [{ path: 'a.js', text: hostile, isNear: false }]),
      [],
    );
    assert.equal(formsInNote('`a.bc()` '.repeat(10_000)).length, 1);
  });
});
