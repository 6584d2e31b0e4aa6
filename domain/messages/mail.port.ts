/** Whoever carries our mail. */
export interface Mailer {
  /** Hands one mail over. `key` becomes its message id, so that a repeat can be recognized by its receiver. */
  send(mail: Mail): Promise<{ ok: true } | { ok: false; reason: 'refused' | 'unavailable'; cause?: unknown }>
}

export type Mail = {
  key: string
  to: string
  subject: string
  text: string
  html: string
  /** Where the reader stops mails of its kind with one press; null for a mail that cannot be stopped. */
  stopUrl: string | null
  attachments: { name: string; contentType: string; content: Uint8Array | string }[]
}
