// The mails that the service writes.
import type { Config } from '../../config.ts';
import type { Message } from './mail.ts';
import { resetLink } from './reset-link.ts';

interface MailMessages {
  reset(to: string, token: string): Message;
  verify(to: string, link: string): Message;
}

export function mailMessages(config: Pick<Config, 'webUrl'>): MailMessages {
  return {
    reset: (to, token) => ({
      to,
      subject: 'choose a new password',
      lines: [
        'Somebody, most likely you, wants to choose a new password for your account. This link works once, for an hour:',
        resetLink(config, token),
        'If it was not you, there is nothing to do: your password stays as it is.',
      ],
    }),
    verify: (to, link) => ({
      to,
      subject: 'confirm your address',
      lines: [
        'Please confirm that this is your e-mail address. This link works for an hour:',
        link,
        'If you have no account here, there is nothing to do.',
      ],
    }),
  };
}
