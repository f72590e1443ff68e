// The last steps between the versions of a package, each with the judgement that an answer on it has.
import type { Context } from '../../context.ts';
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { levelOf } from '../../domain/upgrade/report/answer.ts';
import { lackOfPackage } from '../../domain/upgrade/report/reasons.ts';
import { whatsChangedBatch } from '../whats-changed/index.ts';
import type { KnownPackage } from './known-package.ts';
import { lastSteps, type PackageStep } from './steps.ts';
import type { VersionOfPackage } from './versions.ts';

export async function judgedSteps(
  ctx: Context,
  { ecosystem, name }: KnownPackage,
  falling: readonly VersionOfPackage[],
): Promise<PackageStep[]> {
  const steps = lastSteps(falling);
  if (steps.length === 0) return [];
  const items = steps.map(({ from, to }) => ({ package: name, ecosystem, from, to }));
  const answers = await whatsChangedBatch(ctx, { items }, null);
  return steps.map((step, index) => {
    const answer = answers.items[index];
    return answer === undefined || 'error' in answer ? step : shown(step, answer);
  });
}

function shown(step: PackageStep, answer: WhatsChanged): PackageStep {
  const level = levelOf(answer);
  if (level === step.answer) return step;
  const [seen] = answer.steps.filter(({ from }) => from === 'package');
  if (level === 'major' || level === 'minor') {
    const silent = answer.undocumented ? '; the notes do not mention it' : '';
    return { ...step, answer: level, because: `${seen?.text ?? 'The package itself shows it'}${silent}` };
  }
  const lack = lackOfPackage(answer);
  return lack !== null && step.answer === 'none'
    ? { ...step, answer: level, because: `The notes show no break; ${lack}` }
    : step;
}
