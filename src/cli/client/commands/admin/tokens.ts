// Operator commands for API tokens.
import type { TokenRow } from '../../../../contract/token.ts';
import { type Argument, UsageError } from '../../../command.ts';
import { path } from '../../api.ts';
import { clientCommand } from '../../client-command.ts';
import { bodyField, changeOf, operatorCommand } from '../../operator-command.ts';
import { printList, wholeList } from '../../paging.ts';
import type { Column } from '../../table.ts';
import { day } from '../../views.ts';

const SCOPES = ['read', 'publish', 'write', 'admin'];
const TOKEN: Argument = { name: 'id', help: 'id of the token' };

const TOKEN_COLUMNS: readonly Column<TokenRow>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name, flexible: true },
  { title: 'SCOPES', value: ({ scopes }) => scopes.join(',') },
  {
    title: 'STATE',
    value: ({ active }) => (active ? 'active' : 'ended'),
    tone: ({ active }) => (active ? null : 'dim'),
  },
  { title: 'LAST USED', value: ({ lastUsedAt }) => lastUsedAt, short: ({ lastUsedAt }) => day(lastUsedAt) },
  { title: 'EXPIRES', value: ({ expiresAt }) => expiresAt, short: ({ expiresAt }) => day(expiresAt) },
  { title: 'BOUND TO', value: ({ bound }) => bound?.id },
];

export const adminTokenCommands = [
  clientCommand({
    name: 'admin token list',
    summary: 'Machine tokens, newest first',
    flags: { active: { type: 'boolean', help: 'only those that work' } },
    examples: ['registry admin token list --active'],
    run: (session) => {
      const query = { active: session.flags.active === true ? true : undefined };
      const read = wholeList<TokenRow>(session.api, { path: '/v1/tokens', query, key: 'tokens' });
      return printList(session, { read, columns: TOKEN_COLUMNS, none: 'there are no tokens' });
    },
  }),
  operatorCommand({
    name: 'admin token create',
    summary: 'Mint a machine token; its value is shown once',
    arguments: [{ name: 'name', help: 'what the token is for' }],
    fields: [
      bodyField({ name: 'scopes', kind: 'list', help: `scopes: ${SCOPES.join(', ')}` }),
      bodyField({ name: 'expiresAt', kind: 'text', help: 'date or time when it ends; never unless given' }),
      bodyField({ name: 'org', kind: 'text', help: 'bind it to an organization (id or slug)' }),
      bodyField({ name: 'product', kind: 'text', help: 'bind it to a product (id or org/product)' }),
      bodyField({ name: 'source', kind: 'text', help: 'bind it to a source (id or org/source)' }),
    ],
    examples: [
      'registry admin token create "build server" --scopes write --expires-at 2027-01-01T00:00:00Z',
      'registry admin token create "release job" --scopes publish --source acme/cli',
    ],
    call: ({ args }, body) => {
      if (body.scopes === undefined) throw new UsageError('--scopes is required');
      return { method: 'POST', path: '/v1/tokens', body: { ...body, name: args.name } };
    },
  }),
  operatorCommand({
    name: 'admin token edit',
    summary: 'Change name, scopes or end of a machine token',
    arguments: [TOKEN],
    fields: [
      bodyField({ name: 'name', kind: 'text', help: 'another name' }),
      bodyField({ name: 'scopes', kind: 'list', help: `scopes: ${SCOPES.join(', ')}` }),
      bodyField({ name: 'expiresAt', kind: 'text', help: 'date or time when it ends' }),
    ],
    clears: ['expiresAt'],
    examples: ['registry admin token edit tok_… --scopes read'],
    call: ({ args }, body) => ({ method: 'PATCH', path: path`/v1/tokens/${args.id ?? ''}`, body: changeOf(body) }),
  }),
  operatorCommand({
    name: 'admin token revoke',
    summary: 'End a machine token at once',
    arguments: [TOKEN],
    question: ({ args }) => `Revoke the token ${args.id}?`,
    examples: ['registry admin token revoke tok_… --yes'],
    call: ({ args }) => ({ method: 'POST', path: path`/v1/tokens/${args.id ?? ''}/revoke`, body: {} }),
    done: ({ args }) => `revoked ${args.id}`,
  }),
];
