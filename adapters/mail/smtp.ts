import { createHash } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { Mail, Mailer } from '#domain/messages/mail.port.ts'
import { requestIdHeader } from '#platform/request-scope.ts'

export type SmtpConfig = {
  /** smtp://user:password@host:port, or smtps:// */
  smtpUrl: string
  /** `Name <address>` */
  from: string
}

// The sender is a job that tries again: better a short wait than a worker held up.
const timeoutMs = 10_000

/** Mail over SMTP, one connection for each message. */
export function createSmtpMailer({ smtpUrl, from }: SmtpConfig): Mailer {
  const url = new URL(smtpUrl)
  const isSecure = url.protocol === 'smtps:'
  const transport = createTransport({
    host: url.hostname,
    port: Number(url.port || (isSecure ? 465 : 587)),
    secure: isSecure,
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A message is made of what it is given: nothing in it is ever read from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  return {
    async send(mail) {
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: mail.to },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: messageId(mail, from),
          headers: {
            'X-Message-Key': mail.key,
            'Auto-Submitted': 'auto-generated',
            ...stopHeaders(mail),
            ...requestIdHeader(),
          },
          attachments: mail.attachments.map(({ name, contentType, content }) => ({
            filename: name,
            contentType,
            content: typeof content === 'string' ? content : Buffer.from(content),
          })),
        })
        return { ok: true }
      } catch (cause) {
        return { ok: false, reason: isRefusal(cause) ? 'refused' : 'unavailable', cause }
      }
    },
  }
}

/** Mail programs show a button of their own for these, and press it with a POST (RFC 2369, RFC 8058). */
function stopHeaders({ stopUrl }: Mail): Record<string, string> {
  return stopUrl === null
    ? {}
    : { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Made from the key alone, at the sender's domain, so that a message sent twice is one to a mail reader. */
function messageId(mail: Mail, from: string): string {
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  return `<${createHash('sha256').update(mail.key).digest('hex').slice(0, 32)}@${domain}>`
}

/** The server said no for good; trying the same again would meet the same. */
function isRefusal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'permanent' in error && error.permanent === true
}
