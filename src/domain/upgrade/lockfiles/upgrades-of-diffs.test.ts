import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readUnifiedDiff } from './unified-diff.ts';
import { type Asked, git, type Other, requested } from './upgrades.fixture.ts';
import { readUpgrades } from './upgrades.ts';

const MANIFEST_DIFF = git(
  'package.json',
  `@@ -1,14 +1,15 @@
 {
   "name": "app",
-  "version": "1.0.0",
+  "version": "1.1.0",
   "engines": {
-    "node": ">=18"
+    "node": ">=20"
   },
   "dependencies": {
-    "engine": "^1.2.0",
+    "engine": "^2.0.0",
+    "fresh": "^1.0.0",
     "still": "1.0.0",
-    "local": "file:../local"
+    "local": "file:../other"
   },
   "devDependencies": {
-    "@a/x": "~3.0.0"
+    "@a/x": "~3.1.0"
   }
 }
`,
);

const LOCK_DIFF = git(
  'package-lock.json',
  `@@ -7,7 +7,7 @@
     "": {
       "name": "app",
       "dependencies": {
-        "engine": "^1.2.0"
+        "engine": "^2.0.0"
       }
     },
@@ -30,9 +30,9 @@ something else
       }
     },
     "node_modules/engine": {
-      "version": "1.2.0",
-      "resolved": "https://registry.npmjs.org/engine/-/engine-1.2.0.tgz",
-      "integrity": "sha512-a==",
+      "version": "2.0.0",
+      "resolved": "https://registry.npmjs.org/engine/-/engine-2.0.0.tgz",
+      "integrity": "sha512-b==",
       "license": "MIT",
       "dependencies": {
         "deep": "^0.1.0"
@@ -80,3 +80,3 @@
     "node_modules/engine/node_modules/deep": {
-      "version": "0.1.0",
+      "version": "0.1.9",
       "license": "MIT"
@@ -90,5 +90,0 @@
-    "node_modules/@a/gone": {
-      "version": "1.0.0",
-      "license": "MIT"
-    },
-
`,
);

const PNPM_DIFF = git(
  'pnpm-lock.yaml',
  `@@ -9,7 +9,7 @@ importers:
     dependencies:
       engine:
         specifier: ^1.2.0
-        version: 1.2.0(react@18.0.0)
+        version: 1.3.0(react@18.0.0)
       other:
         specifier: ^4.0.0
         version: 4.0.0
@@ -40,10 +40,10 @@ packages:
 
-  engine@1.2.0:
+  engine@1.3.0:
     resolution: {integrity: sha512-bbbb==}
 
-  '@a/x@3.1.0':
+  '@a/x@3.2.0':
     resolution: {integrity: sha512-aaaa==}
 
   same@1.0.0:
`,
);

const YARN_DIFF = git(
  'yarn.lock',
  `@@ -3,9 +3,9 @@
 # yarn lockfile v1
 
 
-"@a/x@^3.0.0":
-  version "3.1.0"
-  resolved "https://registry.yarnpkg.com/@a/x/-/x-3.1.0.tgz#1"
+"@a/x@^3.0.0", "@a/x@^3.2.0":
+  version "3.2.0"
+  resolved "https://registry.yarnpkg.com/@a/x/-/x-3.2.0.tgz#2"
   dependencies:
     engine "^1.0.0"
 
`,
);

const UV_DIFF = git(
  'uv.lock',
  `@@ -10,12 +10,12 @@
 [[package]]
 name = "Flask"
-version = "2.3.0"
+version = "3.0.0"
 source = { registry = "https://pypi.org/simple" }
 
 [[package]]
 name = "app"
-version = "0.1.0"
+version = "0.2.0"
 source = { virtual = "." }
 
`,
);

const DIFFS: [string, string, Asked[], Other[]][] = [
  [
    'a manifest: only its dependencies count',
    MANIFEST_DIFF,
    [
      ['@a/x', '~3.0.0', '~3.1.0', true],
      ['engine', '^1.2.0', '^2.0.0', true],
    ],
    [
      ['fresh', 'added'],
      ['local', 'elsewhere'],
    ],
  ],
  [
    'package-lock.json: folders, nested packages, the ranges of the project',
    LOCK_DIFF,
    [
      ['engine', '1.2.0', '2.0.0', true],
      ['deep', '0.1.0', '0.1.9', null],
    ],
    [['@a/gone', 'removed']],
  ],
  [
    'both: the lockfile counts, the manifest tells what is direct',
    `${MANIFEST_DIFF}${LOCK_DIFF}`,
    [
      ['engine', '1.2.0', '2.0.0', true],
      ['deep', '0.1.0', '0.1.9', null],
    ],
    [['@a/gone', 'removed']],
  ],
  [
    'pnpm-lock.yaml',
    PNPM_DIFF,
    [
      ['engine', '1.2.0', '1.3.0', true],
      ['@a/x', '3.1.0', '3.2.0', null],
    ],
    [],
  ],
  ['yarn.lock', YARN_DIFF, [['@a/x', '3.1.0', '3.2.0', true]], []],
  [
    'a yarn.lock in which the project leaves a copy that others still need',
    git(
      'yarn.lock',
      `@@ -5,7 +5,13 @@
   version "1.0.0"
   dependencies:
-    pump "^2.0.0"
+    pump "^2.1.0"
     engine "^1.0.0"
 
-engine@1.2.0, engine@^1.0.0:
+engine@2.0.0:
+  version "2.0.0"
+
+engine@^1.0.0:
   version "1.2.0"
@@ -30,5 +36,5 @@
-pump@^2.0.0:
-  version "2.0.0"
+pump@^2.1.0:
+  version "2.1.0"
 
 same@^1.0.0:
   version "1.0.0"
`,
    ),
    [
      ['engine', '1.2.0', '2.0.0', true],
      ['pump', '2.0.0', '2.1.0', null],
    ],
    [],
  ],
  [
    'the later yarn.lock',
    git(
      'yarn.lock',
      `@@ -9,5 +9,5 @@
 "engine@npm:^1.0.0":
-  version: 1.2.0
-  resolution: "engine@npm:1.2.0"
+  version: 1.3.0
+  resolution: "engine@npm:1.3.0"
   languageName: node
`,
    ),
    [['engine', '1.2.0', '1.3.0', null]],
    [],
  ],
  [
    'the later yarn.lock, in which the project leaves copies that others still need',
    git(
      'yarn.lock',
      `@@ -9,5 +9,11 @@
   linkType: hard
 
-"engine@npm:1.2.0, engine@npm:^1.0.0":
+"engine@npm:2.0.0":
+  version: 2.0.0
+  resolution: "engine@npm:2.0.0"
+  languageName: node
+  linkType: hard
+
+"engine@npm:^1.0.0":
   version: 1.2.0
   resolution: "engine@npm:1.2.0"
@@ -30,2 +36,8 @@
+"fuel@npm:3.0.0":
+  version: 3.0.0
+  resolution: "fuel@npm:3.0.0"
+  languageName: node
+  linkType: hard
+
 "fuel@npm:1.0.0":
   version: 1.0.0
@@ -50,6 +63,6 @@
   dependencies:
-    engine: "npm:1.2.0"
-    fuel: "npm:1.0.0"
+    engine: "npm:2.0.0"
+    fuel: "npm:3.0.0"
   languageName: unknown
   linkType: soft
 
@@ -70,8 +83,8 @@
   version: 4.0.0
   dependencies:
-    pump: "npm:2.0.0"
+    pump: "npm:2.1.0"
   languageName: node
   linkType: hard
 
-"pump@npm:2.0.0":
-  version: 2.0.0
+"pump@npm:2.1.0":
+  version: 2.1.0
`,
    ),
    [
      ['engine', '1.2.0', '2.0.0', true],
      ['fuel', '1.0.0', '3.0.0', true],
      ['pump', '2.0.0', '2.1.0', null],
    ],
    [],
  ],
  [
    'bun.lock',
    git(
      'bun.lock',
      `@@ -9,3 +9,3 @@
   "packages": {
-    "engine": ["engine@1.2.0", "", {}, "sha512-a=="],
+    "engine": ["engine@1.3.0", "", {}, "sha512-b=="],
   }
`,
    ),
    [['engine', '1.2.0', '1.3.0', null]],
    [],
  ],
  ['uv.lock: the project itself is left out', UV_DIFF, [['Flask', '2.3.0', '3.0.0', null]], []],
  [
    'poetry.lock',
    git('sub/poetry.lock', '@@ -1,3 +1,3 @@\n [[package]]\n name = "flask"\n-version = "2.3.0"\n+version = "3.0.0"\n'),
    [['flask', '2.3.0', '3.0.0', null]],
    [],
  ],
  [
    'requirements.txt by diff -u, with times and a lowered version',
    '--- requirements.txt\t2026-01-01 00:00:00\n+++ requirements.txt\t2026-02-01 00:00:00\n@@ -1,3 +1,3 @@\n-Flask==2.3.0\n-jinja2==3.1.4\n+flask==3.0.0\n+jinja2==3.1.2\n # end\n',
    [['flask', '2.3.0', '3.0.0', true]],
    [['jinja2', 'lowered']],
  ],
  [
    'hunks without the name of their file',
    '@@ -30,3 +30,3 @@\r\n     "node_modules/engine": {\r\n-      "version": "1.2.0",\r\n+      "version": "2.0.0",\r\n       "license": "MIT"\r\n',
    [['engine', '1.2.0', '2.0.0', null]],
    [],
  ],
  [
    'a file that is new',
    'diff --git a/requirements.txt b/requirements.txt\nnew file mode 100644\n--- /dev/null\n+++ b/requirements.txt\n@@ -0,0 +1,1 @@\n+flask==3.0.0\n\\ No newline at end of file\n',
    [],
    [['flask', 'added']],
  ],
  [
    'a hunk without context is told by the address of the archive',
    git(
      'package-lock.json',
      '@@ -31,2 +31,2 @@\n-      "resolved": "https://registry.npmjs.org/@a/x/-/x-1.2.0.tgz",\n-      "integrity": "sha512-a==",\n+      "resolved": "https://registry.npmjs.org/@a/x/-/x-1.3.0.tgz",\n+      "integrity": "sha512-b==",\n',
    ),
    [['@a/x', '1.2.0', '1.3.0', null]],
    [],
  ],
];

describe('upgrades of a diff', () => {
  for (const [title, text, upgrades, others] of DIFFS) {
    it(title, () => assert.deepEqual(requested({ text }), { upgrades, others }));
  }

  it('says that no known file is in it', () => {
    assert.match(
      String(requested({ text: git('src/a.ts', '@@ -1 +1 @@\n-a\n+b\n') })),
      /^The diff changes none of the files/,
    );
  });

  it('reads lines as the header counts them, whatever they look like', () => {
    const files = readUnifiedDiff('--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n++++ b/y\n context\n');
    assert.deepEqual(files, [{ path: 'x', hunks: [{ before: ['-- a/y', 'context'], after: ['+++ b/y', 'context'] }] }]);
  });

  it('reads any text to its end', () => {
    const sign = fc.constantFrom(
      '@@ -1,9 +1,9 @@',
      '--- a/package-lock.json',
      '+++ ',
      '-',
      '+',
      ' ',
      '{',
      '"a": {',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 120 }), (signs) => void readUpgrades([{ text: signs.join('\n') }])),
    );
  });
});
