import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MailEvents } from '#domain/messaging/messages/mail-events.port.ts'
import type { Clock } from '#platform/clock.ts'
import { isId } from '#platform/ids.ts'
import { z } from 'zod'
import { someSecret, type Secrets } from '#platform/secrets.ts'

/** Mailgun tries again for eight hours; older posts are copies. */
const freshHours = 9
/** The allowed clock skew of a signature. */
const aheadSeconds = 300

const signed = z.object({ timestamp: z.string().max(20), token: z.string().max(100), signature: z.string().max(100) })
const report = z.object({
  'event-data': z.object({
    id: z.string().min(1).max(200),
    event: z.string(),
    severity: z.string().optional(),
    recipient: z.string().min(3).max(254),
    'user-variables': z.object({ message: z.string().optional() }).catch({}),
    'delivery-status': z
      .object({ description: z.string().nullish(), message: z.string().nullish() })
      .catch({})
      .default({}),
  }),
})

/**
 * Mailgun's webhooks and inbound routes, verified as it documents: HMAC-SHA256 of timestamp and token with the signing
 * key. https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 */
export function createMailgunEvents({ signingKey, clock }: { signingKey: Secrets; clock: Clock }): MailEvents {
  function isSigned(part: unknown): boolean {
    const read = signed.safeParse(part)
    if (!read.success) return false
    const { timestamp, token, signature } = read.data
    const isOurs = someSecret(signingKey, (key) => {
      const expected = createHmac('sha256', key)
        .update(timestamp + token)
        .digest('hex')
      return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
    })
    const ageSeconds = clock.now().epochMilliseconds / 1000 - Number(timestamp)
    return isOurs && ageSeconds <= freshHours * 3600 && ageSeconds >= -aheadSeconds
  }

  return {
    readEvent(rawBody) {
      let body: unknown
      try {
        body = JSON.parse(rawBody)
      } catch {
        return { ok: false, reason: 'bad-signature' }
      }
      const { signature } = (body ?? {}) as { signature?: unknown }
      if (!isSigned(signature)) return { ok: false, reason: 'bad-signature' }
      const read = report.safeParse(body)
      if (!read.success) return { ok: false, reason: 'unreadable', cause: read.error }
      const event = read.data['event-data']
      const kind =
        event.event === 'complained'
          ? 'complained'
          : event.event === 'failed' && event.severity === 'permanent'
            ? 'bounced'
            : undefined
      if (kind === undefined) return { ok: true, event: null }
      const { message } = event['user-variables']
      const status = event['delivery-status']
      return {
        ok: true,
        event: {
          id: event.id,
          kind,
          email: event.recipient.toLowerCase(),
          messageId: message !== undefined && isId(message) ? message : null,
          detail: (status.message || status.description || '').slice(0, 500) || null,
        },
      }
    },
    readIncoming(fields) {
      if (!isSigned(fields)) return undefined
      const { recipient = '', sender = '', 'Message-Id': messageId = '' } = fields
      const text = fields['stripped-text'] || fields['body-plain'] || ''
      return { recipient, from: sender, text, messageId: messageId || (fields['token'] ?? '') }
    },
  }
}
