// Mail, when a server for it is configured. Who asked never waits for it, so that no answer tells by its time whether
// there was an account to write to.
import type { Context } from '../../context.ts';

export interface Message {
  to: string;
  subject: string;
  lines: readonly string[];
}

export interface Mailer {
  // False: no server is configured, and nothing is ever sent.
  available: boolean;
  send(message: Message): Promise<void>;
}

export function createMailer(ctx: Pick<Context, 'config' | 'log'>): Mailer {
  const { mail, siteName } = ctx.config;
  if (mail === null) return { available: false, send: async () => {} };
  let transport: Promise<{ sendMail(mail: Record<string, string>): Promise<unknown> }> | null = null;
  return {
    available: true,
    async send({ to, subject, lines }) {
      transport ??= import('nodemailer').then(({ createTransport }) => createTransport(mail.url));
      try {
        const text = `${lines.join('\n\n')}\n`;
        await (await transport).sendMail({ from: mail.from, to, subject: `${siteName}: ${subject}`, text });
      } catch (error) {
        ctx.log.error({ err: error }, 'mail could not be sent');
      }
    },
  };
}
