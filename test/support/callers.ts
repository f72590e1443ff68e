// The same context with another caller and fresh facts about its answer.
import { type Context, plainAnswer } from '../../src/context.ts';
import { ANONYMOUS, type Scope } from '../../src/contract/caller.ts';

export function as(ctx: Context, scope: Scope | null): Context {
  const caller =
    scope === null ? ANONYMOUS : { kind: 'token' as const, name: scope, scope, tokenId: `tok_${scope}`, ip: '' };
  return { ...ctx, caller, answer: plainAnswer() };
}
