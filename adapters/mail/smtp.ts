import { createHash } from 'node:crypto'
import { SpanKind } from '@opentelemetry/api'
import type { Transporter } from 'nodemailer'
import type { Mail, Mailer } from '#domain/messaging/messages/mail.port.ts'
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
 * Sends email over SMTP and reuses connections until they have been idle for `timeoutMs`, because the greeting, TLS,
 * and sign-in take most of the time. Doesn't retry an email after sending its first byte.
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
  // Loaded with the first email because web processes don't send any.
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

/** Traces an email with the server's name, without the recipient. */
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

/** Derived only from the key, at the sender's domain, so that mail programs recognize duplicates. */
function messageId(mail: Mail, from: string): string {
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  return `<${createHash('sha256').update(mail.key).digest('hex').slice(0, 32)}@${domain}>`
}

/**
 * Returns whether the server permanently rejected the recipient or the message, so a retry would also fail. If the
 * server rejects the store's credentials or sender, the email stays queued.
 */
function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('permanent' in error && 'command' in error)) return false
  return error.permanent === true && (error.command === 'RCPT TO' || error.command === 'DATA')
}
