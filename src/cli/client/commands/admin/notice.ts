// Operator commands for the site notice.
import type { SiteNoticeAnswer } from '../../../../contract/notice.ts';
import { EXIT, UsageError } from '../../../command.ts';
import { clientCommand } from '../../client-command.ts';
import { answerFields, bodyField, operatorCommand } from '../../operator-command.ts';
import { printRecord } from '../../records.ts';

const NOTICE = '/v1/site-notice';

export const adminNoticeCommands = [
  clientCommand({
    name: 'admin notice show',
    summary: 'The active notice of the site',
    examples: ['registry admin notice show'],
    async run({ api, output }) {
      const answer = await api.get<SiteNoticeAnswer>(NOTICE);
      printRecord(output, { answer, fields: answerFields(answer.notice) });
      if (answer.notice === null) output.note('there is no active notice');
      return EXIT.ok;
    },
  }),
  operatorCommand({
    name: 'admin notice set',
    summary: 'Replace the notice of the site',
    arguments: [{ name: 'message', help: 'what it says' }],
    fields: [
      bodyField({
        name: 'placement',
        kind: 'text',
        help: 'where it stands; banner unless given',
        choices: ['home', 'banner'],
      }),
      bodyField({ name: 'color', kind: 'text', help: '# and six hex digits' }),
      bodyField({ name: 'linkText', kind: 'text', help: 'text of a link' }),
      bodyField({ name: 'href', kind: 'text', help: 'address of the link' }),
      bodyField({ name: 'dismissible', kind: 'switch', help: 'readers can close it' }),
      bodyField({ name: 'active', kind: 'switch', help: 'shown; it is unless --no-active makes it a draft' }),
    ],
    examples: ['registry admin notice set "Fetching is slow today" --color "#aa5500"'],
    call: ({ args }, body) => ({
      method: 'PUT',
      path: NOTICE,
      body: { active: true, placement: 'banner', color: '#1f6feb', dismissible: true, ...body, message: args.message },
    }),
    done: () => 'the notice is set',
  }),
  operatorCommand({
    name: 'admin notice clear',
    summary: 'Show no notice',
    examples: ['registry admin notice clear'],
    call: async ({ api }) => {
      const { notice } = await api.get<SiteNoticeAnswer>(NOTICE);
      if (notice === null) throw new UsageError('there is no active notice');
      return { method: 'PUT', path: NOTICE, body: { ...notice, active: false } };
    },
    done: () => 'the notice is no longer shown',
  }),
];
