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
  return changes.flatMap((change) => ('name' in change ? judgeNamed(call, change) : judgeRuntime(call, change)));
}

type NamedChange = Extract<ActionChange, { name: string }>;

function judgeNamed(call: ActionCall, change: NamedChange): CallFinding[] {
  const isSame = ({ name }: { name: string }) => name.toLowerCase() === change.name.toLowerCase();
  if (change.kind === 'output_removed') {
    return call.outputs.filter(isSame).map(({ line }) => ({ change, use: 'breaks', line }));
  }
  const given = call.given.find(isSame);
  if (change.kind === 'input_removed') return given ? [{ change, use: 'breaks', line: given.line }] : [];
  if (change.kind === 'input_deprecated') return given ? [{ change, use: 'notable', line: given.line }] : [];
  if (given) return [];
  return [{ change, use: change.kind === 'input_required' ? 'breaks' : 'notable', line: call.line }];
}

// Hosted runners have every runtime; one of a kind of its own may need what nobody declares.
function judgeRuntime(call: ActionCall, change: Exclude<ActionChange, NamedChange>): CallFinding[] {
  if (call.runner === 'hosted' || change.kind === 'runtime_lowered') return [];
  const isKnown = change.kind === 'runtime_raised' && call.runner === 'own';
  return [{ change, use: isKnown ? 'breaks' : 'unknown', line: call.line }];
}
