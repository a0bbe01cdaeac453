import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

export interface ReceivedMail {
  from: string;
  to: string;
  text: string;
  /** The codes in its links, in their order. */
  codes: string[];
}

/** A mail server that keeps what it is sent, for one test or one file. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Turns connections away while it is true, as a server without room does. */
  isBusy = false;
  /** How many connections it turned away. */
  refused = 0;
  readonly user = { name: 'masthead', password: 'a-password-of-the-mail-server' };
  readonly #server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onConnect: (_session, done) => {
      if (!this.isBusy) return done();
      this.refused += 1;
      done(Object.assign(new Error('too busy for ada@shop.example'), { responseCode: 421 }));
    },
    onAuth: ({ username, password }, _session, done) => {
      if (username === this.user.name && password === this.user.password) done(null, { user: username });
      else done(new Error('wrong password'));
    },
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith('nobody@')) done(Object.assign(new Error(`no ${address} here`), { responseCode: 550 }));
      else done();
    },
    onData: (stream, { envelope }, done) => {
      text(stream).then((source) => {
        const body = source
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
        const codes = [...body.matchAll(/#code=(\w+)/g)].map(([, code = '']) => code);
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        this.mails.push({ from, to: envelope.rcptTo.map(({ address }) => address).join(), text: body, codes });
        done();
      }, done);
    },
  });

  /** Starts it; returns its URL for SMTP_URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.server.address() as AddressInfo;
    return `smtp://${this.user.name}:${this.user.password}@127.0.0.1:${port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => void this.#server.close(resolve));
  }

  /** The mails once there are this many. */
  async received(count: number): Promise<ReceivedMail[]> {
    await until(() => this.mails.length >= count);
    return this.mails;
  }
}
