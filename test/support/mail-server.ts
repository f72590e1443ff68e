// A mail server that stores the messages it receives.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

interface ReceivedMail {
  from: string;
  to: string[];
  text: string;
  // With all headers, as it was sent.
  raw: string;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  // The answer to every recipient from now on; null takes them.
  refuse(line: string | null): void;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const rule: { refusal: string | null } = { refusal: null };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    converse(socket, received, rule);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse(line) {
      rule.refusal = line;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function converse(socket: Socket, received: ReceivedMail[], rule: { refusal: string | null }): void {
  let buffered = '';
  let mail: ReceivedMail = { from: '', to: [], text: '', raw: '' };
  let inBody = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const hear = (line: string) => {
    if (inBody && line !== '.') {
      mail.text += `${line.replace(/^\.\./, '.')}\n`;
      return;
    }
    if (inBody) {
      inBody = false;
      received.push({ ...mail, text: decoded(mail.text), raw: mail.text });
      mail = { from: '', to: [], text: '', raw: '' };
      say('250 kept');
      return;
    }
    const [verb = ''] = line.toUpperCase().split(/[ :]/, 1);
    if (verb === 'MAIL') mail.from = addressIn(line);
    if (verb === 'RCPT' && rule.refusal !== null) {
      say(rule.refusal);
      return;
    }
    if (verb === 'RCPT') mail.to.push(addressIn(line));
    if (verb === 'DATA') {
      inBody = true;
      say('354 go on');
    } else if (verb === 'QUIT') {
      say('221 bye');
      socket.end();
    } else {
      say(verb === 'EHLO' ? '250 mail.example' : '250 ok');
    }
  };
  socket.setEncoding('utf8').on('data', (text) => {
    buffered += text;
    for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      hear(line);
    }
  });
  socket.on('error', () => {});
  say('220 mail.example');
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}

// Long lines arrive folded.
function decoded(text: string): string {
  return text
    .replaceAll(/=\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
