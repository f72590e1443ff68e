// The rules that a project has switched off, with the reason: `.registry-lint.json`.
import { join } from 'node:path';
import { LINT_RULES, type LintFinding, type LintRule } from '../../domain/lint/finding.ts';
import { isRecord } from '../../domain/records.ts';
import { ProjectFault, projectFileAt } from '../local-file.ts';

const SETTINGS_FILE = '.registry-lint.json';
const MAX_LENGTH = 1_000_000;

interface RuleOff {
  rule: LintRule;
  reason: string;
  // Only for this package or version; all when absent.
  package: string | null;
  version: string | null;
}

export function readLintSettings(folder: string, inside: string): RuleOff[] {
  const text = projectFileAt(join(folder, SETTINGS_FILE), { most: MAX_LENGTH, inside });
  if (text === null) return [];
  const list = listIn(text);
  if (list === null) throw new ProjectFault(`${SETTINGS_FILE} is not {"off": [{"rule", "reason", …}]}`);
  return list.map((value, index) => {
    const entry = isRecord(value) ? value : {};
    const text = (name: string) => {
      const found = entry[name];
      return typeof found === 'string' && found.trim() !== '' ? found.trim().slice(0, 300) : null;
    };
    const [rule, reason] = [text('rule'), text('reason')];
    const place = `entry ${index + 1} of ${SETTINGS_FILE}`;
    if (rule === null || reason === null) throw new ProjectFault(`${place} needs a rule and a reason`);
    if (!isRule(rule))
      throw new ProjectFault(`${place}: there is no rule ${rule}; there are ${Object.keys(LINT_RULES).join(', ')}`);
    return { rule, reason, package: text('package'), version: text('version') };
  });
}

function isRule(rule: string): rule is LintRule {
  return Object.hasOwn(LINT_RULES, rule);
}

function listIn(text: string): unknown[] | null {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) && Array.isArray(json.off) ? json.off : null;
  } catch {
    return null;
  }
}

// What is left, and how many findings were switched off by each reason.
export function withoutRulesOff(findings: readonly LintFinding[], off: readonly RuleOff[], packageName: string | null) {
  const silenced = new Map<string, number>();
  const left = findings.filter((finding) => {
    const entry = off.find(
      (one) =>
        one.rule === finding.rule &&
        (one.package === null || one.package === packageName) &&
        (one.version === null || one.version === finding.version),
    );
    if (entry)
      silenced.set(`${entry.rule}: ${entry.reason}`, (silenced.get(`${entry.rule}: ${entry.reason}`) ?? 0) + 1);
    return !entry;
  });
  return { findings: left, off: [...silenced].map(([reason, count]) => ({ reason, count })) };
}
