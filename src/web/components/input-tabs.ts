// The two ways to ask what changed: about one package, or about the files of a project.
import { PROJECT_FILES_PATH } from '../links.ts';
import type { Html } from './html.ts';
import { tabs } from './parts.ts';

const ONE_PACKAGE_PATH = '/whats-changed';

export function inputTabs(current: 'package' | 'files'): Html {
  return tabs('Input', [
    { name: 'One package', path: ONE_PACKAGE_PATH, current: current === 'package' },
    { name: 'Lockfile or diff', path: PROJECT_FILES_PATH, current: current === 'files' },
  ]);
}
