// Prompts that a person picks: each begins a conversation that uses the tools.
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { inline, quoted } from './quoting.ts';

type Given = Readonly<Record<string, string | undefined>>;

interface PromptDeclaration extends Prompt {
  arguments: { name: string; description: string; required: boolean }[];
  text(given: Given): string;
}

const optional = (name: string, description: string) => ({ name, description, required: false });

const NEVER_SAFE =
  'Say what is not known as that: `not_known` and an incomplete history are no sign that nothing breaks, and no sign of a break is no promise.';

const PROMPTS: readonly PromptDeclaration[] = [
  {
    name: 'upgrade',
    title: 'Plan an upgrade',
    description: 'Whether an upgrade breaks, and what to do: of one package, or of all in a lockfile.',
    arguments: [
      optional('package', 'Name of the package.'),
      optional('from', 'Version in use.'),
      optional('to', 'Version to go to; without one the latest.'),
      optional('lockfile', 'Text of a lockfile or of its diff, instead of a package.'),
    ],
    text: ({ package: name, from, to, lockfile }) => {
      if (lockfile) {
        return `Check the packages of this lockfile with the tool check_upgrades (argument lockfile). Then tell me, worst first: what breaks, what to change in the code, and what nobody knows. ${NEVER_SAFE}\n\n${quoted(lockfile)}`;
      }
      if (!name) {
        return `Check the upgrades of this project with the tool check_upgrades: give the changed packages as items, or the text of the lockfile. Then tell me, worst first: what breaks, what to change in the code, and what nobody knows. ${NEVER_SAFE}`;
      }
      const range = from
        ? `from ${inline(from)} to ${inline(to ?? 'latest')}`
        : 'from the version that this project has to the latest';
      return `Use the tool whats_changed for the package ${inline(name)} ${range}. Tell me whether it breaks, list the steps in order, and look in the code for what they name. ${NEVER_SAFE}`;
    },
  },
  {
    name: 'whats_new',
    title: 'What is new',
    description: 'What an organization or a product has released lately.',
    arguments: [
      optional('org', 'Slug or domain of the organization.'),
      optional('product', 'org/slug of the product, instead of an organization.'),
      optional('since', 'From then on: a date, or 7d, 2w, 3m; without it the last 30 days.'),
    ],
    text: ({ org, product, since }) => {
      const scope = product
        ? `product ${inline(product)}`
        : org
          ? `org ${inline(org)}`
          : 'no org, for the whole registry';
      return `Use the tool latest_releases with ${scope} and since ${inline(since ?? '30d')}; continue as long as truncation.next says how. Summarize what is new, breaking changes and security fixes first, with the version and the link of each release.`;
    },
  },
];

export const LISTED_PROMPTS: Prompt[] = PROMPTS.map(({ text: _, ...listed }) => listed);

export function promptOf(name: string, given: Given): GetPromptResult {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown prompt: ${name.slice(0, 100)}`);
  const known = prompt.arguments.map((argument) => argument.name);
  const strange = Object.keys(given).find((key) => !known.includes(key));
  if (strange !== undefined) {
    const reason = `${name} takes ${known.join(', ')}, not ${strange.slice(0, 100)}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, reason);
  }
  return {
    description: prompt.description ?? '',
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(given) } }],
  };
}
