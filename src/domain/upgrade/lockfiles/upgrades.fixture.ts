import { readUpgrades } from './upgrades.ts';

export type Asked = [name: string, from: string, to: string, direct?: boolean | null];
export type Other = [name: string, reason: string];

// What is asked of the registry for these files, or why nothing is.
export function requested(
  ...files: { filename?: string; text: string }[]
): { upgrades: Asked[]; others: Other[] } | string {
  const read = readUpgrades(files);
  if ('problem' in read) return read.problem;
  return {
    upgrades: read.upgrades.map(({ name, from, to, direct }): Asked => [name, from, to, direct]),
    others: read.others.map(({ name, reason }): Other => [name, reason]),
  };
}

// One file of a diff as git writes it.
export const git = (path: string, hunk: string) => `diff --git a/${path} b/${path}
index 1111111..2222222 100644
--- a/${path}
+++ b/${path}
${hunk}`;
