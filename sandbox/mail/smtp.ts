import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { SandboxOptions } from '../options.ts'
import { isSameSecret } from '../signature.ts'
import type { MailReports } from './reports.ts'
import type { Mailbox } from './mailbox.ts'

const maxBytes = 15 * 1024 * 1024

/**
 * The mail server that the store uses. Without `smtpLogins`, any login and connections without one are accepted. The
 * recipient's local part determines the result. `bounce` is rejected permanently (550), `later` temporarily (451), and
 * `slow` delays the response. A `+…` suffix makes addresses distinct.
 */
export function createSmtpServer(
  mailbox: Mailbox,
  { smtpLogins, stallSeconds }: Pick<SandboxOptions, 'smtpLogins' | 'stallSeconds'>,
  reports: Pick<MailReports, 'reportOn'>,
): SMTPServer {
  return new SMTPServer({
    name: 'sandbox.invalid',
    banner: 'Sidewall sandbox, no mail leaves it',
    size: maxBytes,
    rejectOversized: true,
    authOptional: smtpLogins === null,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth({ username = '', password = '' }, _session, callback) {
      if (smtpLogins !== null && !isSameSecret(`${username}:${password}`, smtpLogins))
        return callback(new Error('The user name or password is wrong'))
      callback(null, { user: username })
    },
    onRcptTo({ address }, _session, callback) {
      const word = address.toLowerCase().split('@')[0]?.split('+')[0]
      if (word === 'bounce') return callback(Object.assign(new Error('Mailbox not found'), { responseCode: 550 }))
      if (word === 'later')
        return callback(Object.assign(new Error('The mailbox is busy, try again later'), { responseCode: 451 }))
      if (word === 'slow') return void setTimeout(callback, stallSeconds * 1000).unref()
      callback()
    },
    onData(stream, session, callback) {
      buffer(stream)
        .then((source) =>
          stream.sizeExceeded
            ? undefined
            : mailbox.deliver({
                from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
                to: session.envelope.rcptTo.map(({ address }) => address),
                source,
              }),
        )
        .then((mail) => mail && reports.reportOn(mail))
        .then(() => callback(null), callback)
    },
  })
}
