// What the changes of an action mean for one call of it.
import type { ActionChange } from './compare-interfaces.ts';
import type { ActionCall } from './workflow.ts';

export interface CallFinding {
  change: ActionChange;
  // `breaks`: what the call gives or reads is gone, or its runner lacks the runtime. `notable`: the call leans on a default that is
  // another one now. `unknown`: nobody can tell what it runs on.
  use: 'breaks' | 'notable' | 'unknown';
  line: number;
}

export function judgeCall(call: ActionCall, changes: readonly ActionChange[]): CallFinding[] {
  const given = new Map(call.given.map(({ name, line }) => [name.toLowerCase(), line]));
  return changes.flatMap((change): CallFinding[] => {
    const isGiven = 'name' in change ? given.get(change.name.toLowerCase()) : undefined;
    switch (change.kind) {
      case 'input_removed':
        return isGiven === undefined ? [] : [{ change, use: 'breaks', line: isGiven }];
      case 'input_deprecated':
        return isGiven === undefined ? [] : [{ change, use: 'notable', line: isGiven }];
      case 'input_required':
        return isGiven === undefined ? [{ change, use: 'breaks', line: call.line }] : [];
      case 'default_changed':
      case 'default_gone':
        return isGiven === undefined ? [{ change, use: 'notable', line: call.line }] : [];
      case 'output_removed':
        return call.outputs
          .filter(({ name }) => name.toLowerCase() === change.name.toLowerCase())
          .map(({ line }) => ({ change, use: 'breaks', line }));
      case 'runtime_raised':
        if (call.runner === 'hosted') return [];
        return [{ change, use: call.runner === 'own' ? 'breaks' : 'unknown', line: call.line }];
      case 'runtime_kind':
        return call.runner === 'hosted' ? [] : [{ change, use: 'unknown', line: call.line }];
      case 'runtime_lowered':
        return [];
    }
  });
}
