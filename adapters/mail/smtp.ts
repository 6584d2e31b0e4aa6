import { createHash } from 'node:crypto'
import { SpanKind } from '@opentelemetry/api'
import type { Transporter } from 'nodemailer'
import type { Mail, Mailer } from '#domain/messages/mail.port.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { traceStep } from '#platform/tracing.ts'

export type SmtpConfig = {
  /** smtp://user:password@host:port, or smtps:// */
  smtpUrl: string
  /** `Name <address>` */
  from: string
}

// Mail is sent by a job that retries, so a short timeout is better than a blocked worker.
const timeoutMs = 10_000

// Few mails fail with a connection that the server ends, and servers take about as many from one.
const most = { maxConnections: 4, maxMessages: 50 }

/**
 * Mail over SMTP, over connections that are kept for the next mail until nothing was sent for `timeoutMs`: greeting,
 * TLS and signing in are most of what a mail waits for. A mail of which a byte was sent is not sent again here.
 */
export function createSmtpMailer({ smtpUrl, from }: SmtpConfig): Mailer {
  const url = new URL(smtpUrl)
  const isSecure = url.protocol === 'smtps:'
  const options = {
    host: url.hostname,
    port: Number(url.port || (isSecure ? 465 : 587)),
    secure: isSecure,
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...most,
    // Message content never comes from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  // Loaded with the first mail: web processes send none.
  let transport: Promise<Transporter> | undefined
  const load = async () => (await import('nodemailer')).createTransport({ ...options, pool: true })

  return {
    async send(mail) {
      try {
        const server = await (transport ??= load())
        await traced(url.hostname, () =>
          server.sendMail({
            from: mail.fromName === null ? from : { name: mail.fromName, address: addressOf(from) },
            to: { name: '', address: mail.to },
            ...(mail.replyTo !== null && { replyTo: mail.replyTo }),
            subject: mail.subject,
            text: mail.text,
            html: mail.html,
            messageId: messageId(mail, from),
            headers: {
              'X-Message-Key': mail.key,
              // Comes back in the provider's reports. Prepared, because quotes would be encoded, and it would be no JSON.
              'X-Mailgun-Variables': { prepared: true, value: JSON.stringify({ message: mail.key }) },
              'Auto-Submitted': 'auto-generated',
              ...stopHeaders(mail),
              ...requestIdHeader(),
            },
            attachments: mail.attachments.map(({ name, contentType, content }) => ({
              filename: name,
              contentType,
              content: typeof content === 'string' ? content : Buffer.from(content),
            })),
          }),
        )
        return { ok: true }
      } catch (cause) {
        return { ok: false, reason: isRefusal(cause) ? 'refused' : 'unavailable', cause }
      }
    },
    async close() {
      ;(await transport)?.close()
    },
  }
}

/** A mail in its trace: to which server, not to whom. */
function traced<Value>(server: string, work: () => Promise<Value>): Promise<Value> {
  return traceStep({ name: 'mail', kind: SpanKind.CLIENT, attributes: { 'server.address': server } }, work)
}

/** Mail programs show their own unsubscribe button for these, which sends a POST (RFC 2369, RFC 8058). */
function stopHeaders({ stopUrl }: Mail): Record<string, string> {
  return stopUrl === null
    ? {}
    : { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** The address in `Name <address>`. */
function addressOf(from: string): string {
  return /<([^<>]{1,254})>$/.exec(from)?.[1] ?? from
}

/** Derived from the key alone, at the sender's domain, so that mail programs recognize a message sent twice. */
function messageId(mail: Mail, from: string): string {
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  return `<${createHash('sha256').update(mail.key).digest('hex').slice(0, 32)}@${domain}>`
}

/**
 * Whether the server rejected the recipient or the message permanently, so that a retry would fail too. A server that
 * refuses the store itself, such as a wrong password or sender, says nothing of them: the mail waits.
 */
function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('permanent' in error && 'command' in error)) return false
  return error.permanent === true && (error.command === 'RCPT TO' || error.command === 'DATA')
}
