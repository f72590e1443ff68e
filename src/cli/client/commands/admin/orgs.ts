// Operator commands for organizations.
import { ORG_EDITS } from '../../../../contract/edited-fields.ts';
import type { Flag } from '../../../command.ts';
import { path } from '../../api.ts';
import type { Session } from '../../client-command.ts';
import { changeOf, clearable, operatorCommand, switches, withoutName } from '../../operator-command.ts';
import { orgName } from '../../references.ts';
import { deletion, ORG, orgIdOf, restoration } from './entities.ts';

const DRY_RUN = { 'dry-run': { type: 'boolean', help: 'show what would be done, and do nothing' } } satisfies Record<
  string,
  Flag
>;

const orgPath = ({ args, api }: Session) => path`/v1/orgs/${orgName(args.org ?? '', api.server)}`;

export const adminOrgCommands = [
  operatorCommand({
    name: 'admin org create',
    summary: 'Create an org',
    arguments: [{ name: 'name', help: 'name of the org' }],
    fields: withoutName(ORG_EDITS),
    examples: ['registry admin org create Acme --domain acme.example --category cloud'],
    call: ({ args }, body) => ({ method: 'POST', path: '/v1/orgs', body: { ...body, name: args.name } }),
  }),
  operatorCommand({
    name: 'admin org edit',
    summary: 'Change an org',
    arguments: [ORG],
    fields: ORG_EDITS,
    clears: [...clearable(ORG_EDITS), 'notice', 'trackingRequestedAt'],
    examples: ['registry admin org edit acme --description "Makes tools"', 'registry admin org edit acme --hidden'],
    call: (session, body) => ({ method: 'PATCH', path: orgPath(session), body: changeOf(body) }),
  }),
  deletion({ entity: 'org', argument: ORG, idOf: orgIdOf }),
  restoration('org'),
  operatorCommand({
    name: 'admin org dependents',
    summary: 'How much a final deletion of an org would take along',
    arguments: [ORG],
    examples: ['registry admin org dependents acme'],
    call: ({ args, api }) => ({ path: path`/v1/admin/orgs/${orgName(args.org ?? '', api.server)}/dependents` }),
  }),
  operatorCommand({
    name: 'admin org stub',
    summary: 'Create a stub from the manifest that a domain serves',
    arguments: [{ name: 'domain', help: 'domain with a manifest' }],
    flags: DRY_RUN,
    examples: ['registry admin org stub acme.example --dry-run'],
    call: ({ args, flags }) => ({
      method: 'POST',
      path: '/v1/orgs/stub-from-domain',
      query: switches(flags, 'dry-run'),
      body: { domain: args.domain },
    }),
  }),
  operatorCommand({
    name: 'admin org promote',
    summary: 'Follow a stub: its known places become sources',
    arguments: [ORG],
    flags: DRY_RUN,
    examples: ['registry admin org promote acme --dry-run'],
    call: (session) => ({
      method: 'POST',
      path: `${orgPath(session)}/promote`,
      query: switches(session.flags, 'dry-run'),
      body: {},
    }),
  }),
  operatorCommand({
    name: 'admin org sync',
    summary: 'Read the manifest of an org now',
    arguments: [ORG],
    flags: { ...DRY_RUN, confirm: { type: 'boolean', help: 'also when much would go' } },
    examples: ['registry admin org sync acme --dry-run'],
    call: (session) => ({
      method: 'POST',
      path: `${orgPath(session)}/sync-well-known`,
      query: switches(session.flags, 'dry-run', 'confirm'),
      body: {},
    }),
  }),
];
