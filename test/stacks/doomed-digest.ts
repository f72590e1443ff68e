// A worker that makes a digest and is killed before it has sent it, or before it has noted that it was taken.
import { createMailer } from '../../src/accounts/auth/mail.ts';
import { composeDigests } from '../../src/accounts/digest/compose.ts';
import { sendNextDigest } from '../../src/accounts/digest/send.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';

const [when = ''] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');

const { ctx } = await createApp(readConfig(process.env));
await composeDigests(ctx);
if (when === 'composed') die();
const mailer = createMailer(ctx);
await sendNextDigest(ctx, {
  ...mailer,
  async deliver(mail) {
    await mailer.deliver(mail);
    die();
    // The process ends at some moment of its own.
    await new Promise(() => setInterval(() => {}, 1000));
  },
});
