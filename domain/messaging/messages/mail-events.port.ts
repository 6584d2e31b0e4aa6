/** The mail provider's webhooks, which report sent emails and deliver received ones. */
export interface MailEvents {
  /** Parses a posted report. `event` is null for kinds without an effect, such as a delivery. */
  readEvent(
    rawBody: string,
  ):
    | { ok: true; event: MailEvent | null }
    | { ok: false; reason: 'bad-signature' }
    | { ok: false; reason: 'unreadable'; cause: unknown }
  /** Reads the fields of a posted email; undefined if they do not come from the provider. */
  readIncoming(fields: Readonly<Record<string, string>>): IncomingMail | undefined
}

export type MailEvent = {
  /** The provider's own id of the report; posted twice, it counts once. */
  id: string
  kind: 'bounced' | 'complained'
  email: string
  /** Our message, if the report names it. */
  messageId: string | null
  detail: string | null
}

export type IncomingMail = { recipient: string; from: string; text: string; messageId: string }
