// The lockfiles that are looked for in a folder, in this order; npm itself prefers npm-shrinkwrap.json.
export const LOCKFILES = [
  'npm-shrinkwrap.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'uv.lock',
  'poetry.lock',
  'pdm.lock',
  'requirements.txt',
] as const;
