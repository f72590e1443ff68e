// The thread behind `passwords.ts`: one answer for each question, in their order.
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { ThreadAnswer } from '../../threads/calls.ts';
import type { Strength, StrengthQuestion } from './passwords.ts';

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

function strengthOf(part: string, known: string[]): Strength {
  const { guesses, sequence } = estimator.check(part, known);
  const main = [...sequence].sort((a, b) => b.token.length - a.token.length)[0];
  return { guesses, pattern: main?.pattern ?? 'bruteforce' };
}

parentPort?.on('message', ({ id, parts, known }: StrengthQuestion) => {
  const [strongest] = parts.map((part) => strengthOf(part, known)).sort((a, b) => b.guesses - a.guesses);
  parentPort?.postMessage({ id, answer: strongest } satisfies ThreadAnswer);
});
