// Findings of Python packages against the truth of a step.
import type { Finding, FindingKind } from '../../src/domain/evidence/finding.ts';
import type { PythonBreak, PythonStep } from './truth.ts';

export interface Share {
  right: number;
  all: number;
}

export interface PythonScore {
  recall: Map<string, Share>;
  // Modules, manifest and names of the root; names of modules; members and parameters.
  outside: Share;
  names: Share;
  inside: Share;
  // Of them, those that are told by the very module of the truth.
  exact: Share;
  traps: Map<string, Share>;
  notes: string[];
}

const KINDS: Readonly<Record<string, FindingKind>> = {
  module_removed: 'subpath_removed',
  name_removed: 'export_removed',
  member_removed: 'member_removed',
  param_removed: 'parameter_removed',
  required_param_added: 'parameter_required',
  param_now_required: 'parameter_required',
  param_kw_only: 'parameter_keyword_only',
  param_pos_only: 'parameter_positional_only',
  requires_python_raised: 'engines_raised',
  extra_removed: 'extra_removed',
  script_removed: 'bin_removed',
};

export function emptyPythonScore(): PythonScore {
  const none = () => ({ right: 0, all: 0 });
  return {
    recall: new Map(),
    outside: none(),
    names: none(),
    inside: none(),
    exact: none(),
    traps: new Map(),
    notes: [],
  };
}

export function scorePython(score: PythonScore, step: PythonStep, findings: readonly Finding[]): void {
  const explained = new Set<Finding>();
  for (const one of step.breaks) {
    const kind = KINDS[one.class];
    if (kind === undefined) continue;
    const matches = findings.filter((finding) => finding.kind === kind && isNamed(finding, one));
    for (const match of matches) explained.add(match);
    if (one.doubt !== undefined) continue;
    const isFound = matches.length > 0;
    count(shareOf(score.recall, one.class), isFound);
    count(score[groupOf(one)], isFound);
    if (isFound) count(score.exact, one.module === '' || matches.some(({ subpath }) => subpath === one.module));
    if (!isFound) score.notes.push(`missed ${one.class} ${one.module} ${one.name} ${one.parameter ?? ''}`);
  }
  for (const { kind, module, name } of step.traps) {
    const alarm = findings.find((finding) => !explained.has(finding) && isTrap(finding, kind, module, name));
    count(shareOf(score.traps, kind), alarm !== undefined);
    if (alarm) score.notes.push(`trap ${kind} ${module} ${name}: ${alarm.kind} ${alarm.name}`);
  }
}

function groupOf({ class: kind, module }: PythonBreak): 'outside' | 'names' | 'inside' {
  if (kind === 'name_removed') return module.includes('.') ? 'names' : 'outside';
  return kind.startsWith('param') || kind.startsWith('required_') || kind === 'member_removed' ? 'inside' : 'outside';
}

// A class or a function may be told by another module that has it.
function isNamed(finding: Finding, { class: kind, module, name, parameter }: PythonBreak): boolean {
  if (kind === 'name_removed') return finding.name === name && finding.subpath === module;
  if (parameter !== undefined) return finding.name === `${name}(${parameter})`;
  return finding.name === name;
}

function isTrap({ kind, name, subpath }: Finding, trap: string, module: string, trapped: string): boolean {
  if (trapped === '') return subpath === module;
  if (trap === 'incidental_import' || trap === 'type_checking_import') return subpath === module && name === trapped;
  if (trap === 'parameter_renamed_positional') return name.split('(')[0] === trapped && kind === 'parameter_required';
  return name.split('(')[0] === trapped && (name === trapped || kind !== 'parameter_removed');
}

function shareOf(shares: Map<string, Share>, key: string): Share {
  const known = shares.get(key) ?? { right: 0, all: 0 };
  shares.set(key, known);
  return known;
}

function count(share: Share, isRight: boolean): void {
  share.all += 1;
  if (isRight) share.right += 1;
}

// The findings in the words of the truth set, for its own judge.
export function judgedFinding(step: string, { kind, name, subpath }: Finding): Record<string, string> | null {
  const [, called = name, parameter] = /^(.*)\((\w+)\)$/.exec(name) ?? [];
  const own = Object.entries(KINDS).find(([, one]) => one === kind)?.[0];
  if (own === undefined || subpath === '') return null;
  const parts = { step, class: own, module: subpath, name: own === 'module_removed' ? subpath : called };
  return parameter === undefined ? parts : { ...parts, parameter };
}
