// Mail, when a server for it is configured. Who asked never waits for it, so that no answer tells by its time whether
// there was an account to write to.

import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { resetLink } from './reset-link.ts';

export interface MailMessage {
  to: string;
  subject: string;
  lines: readonly string[];
}

// A mail with two parts and headers of its own.
interface WholeMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
}

export interface Mailer {
  // False: no server is configured, and nothing is ever sent.
  available: boolean;
  send(message: MailMessage): Promise<void>;
  // Ends when the server has taken the mail; throws what went wrong.
  deliver(mail: WholeMail): Promise<void>;
}

export function createMailer(ctx: Pick<Context, 'config' | 'log'>): Mailer {
  const { mail, siteName } = ctx.config;
  if (mail === null) return { available: false, send: async () => {}, deliver: async () => {} };
  let transport: Promise<{ sendMail(mail: object): Promise<unknown> }> | null = null;
  const open = () => {
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport(mail.url));
    return transport;
  };
  return {
    available: true,
    async send({ to, subject, lines }) {
      try {
        const text = `${lines.join('\n\n')}\n`;
        await (await open()).sendMail({ from: mail.from, to, subject: `${siteName}: ${subject}`, text });
      } catch (error) {
        ctx.log.error({ err: error }, 'mail could not be sent');
      }
    },
    async deliver(whole) {
      const from = { name: siteName, address: mail.from };
      await (await open()).sendMail({ from: mail.from.includes('<') ? mail.from : from, ...whole });
    },
  };
}

interface MailMessages {
  reset(to: string, token: string): MailMessage;
  verify(to: string, link: string): MailMessage;
  // To the former address.
  addressChanged(to: string, change: { to: string; link: string }): MailMessage;
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
    addressChanged: (to, change) => ({
      to,
      subject: 'your address was changed',
      lines: [
        `The e-mail address of your account was changed to ${change.to}. If that was you, there is nothing to do.`,
        'If it was not, this link brings your address back and signs everybody out. It works for 7 days:',
        change.link,
      ],
    }),
  };
}
