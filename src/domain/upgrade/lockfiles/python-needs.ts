// What the manifest of a Python project names: its dependencies, extras and groups.
import { parseToml } from '../toml.ts';
import { objectOf } from './json-text.ts';
import { requirementName } from './requirements.ts';

export interface PythonNeed {
  workspace: string;
  name: string;
  dev: boolean;
  optional: boolean;
  // The extra or group that names it.
  group?: string;
}

export function pyprojectNeeds(text: string): PythonNeed[] {
  const document = parseToml(text);
  const project = objectOf(document?.project) ?? {};
  const tool = objectOf(document?.tool) ?? {};
  const poetry = objectOf(tool.poetry) ?? {};
  const groups = Object.entries(objectOf(poetry.group) ?? {}).map(([group, value]): [string, unknown] => [
    group,
    objectOf(value)?.dependencies,
  ]);
  return [
    ...listed(project.dependencies, { dev: false, optional: false }),
    ...grouped(project['optional-dependencies'], { dev: false, optional: true }),
    ...grouped(document?.['dependency-groups'], { dev: true, optional: false }),
    ...grouped(objectOf(tool.pdm)?.['dev-dependencies'], { dev: true, optional: false }),
    ...listed(objectOf(tool.uv)?.['dev-dependencies'], { dev: true, optional: false }),
    ...keys(poetry.dependencies, { dev: false, optional: false }),
    ...keys(poetry['dev-dependencies'], { dev: true, optional: false }),
    ...groups.flatMap(([group, value]) => keys(value, { dev: group !== 'main', optional: false, group })),
  ];
}

type Kind = Pick<PythonNeed, 'dev' | 'optional' | 'group'>;

function listed(value: unknown, kind: Kind): PythonNeed[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const name = typeof one === 'string' ? requirementName(one) : null;
    return name === null ? [] : [{ workspace: '', name, ...kind }];
  });
}

function grouped(value: unknown, kind: Kind): PythonNeed[] {
  return Object.entries(objectOf(value) ?? {}).flatMap(([group, list]) => listed(list, { ...kind, group }));
}

// Poetry writes its dependencies as keys, and the version of Python among them.
function keys(value: unknown, kind: Kind): PythonNeed[] {
  return Object.entries(objectOf(value) ?? {}).flatMap(([name, spec]) => {
    if (name.toLowerCase() === 'python') return [];
    return [{ workspace: '', name, ...kind, optional: kind.optional || objectOf(spec)?.optional === true }];
  });
}
