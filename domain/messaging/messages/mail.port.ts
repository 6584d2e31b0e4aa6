/** The mail server. */
export interface Mailer {
  /** Sends one mail. `key` becomes its message id, so that the recipient's server can recognize duplicates. */
  send(mail: Mail): Promise<{ ok: true } | { ok: false; reason: 'refused' | 'unavailable'; cause?: unknown }>
  /** Ends connections that are kept for the next mail, so that the process can end. */
  close?(): Promise<void>
}

export type Mail = {
  key: string
  to: string
  subject: string
  text: string
  html: string
  /** The sender name, if not the store's; the address is the store's. */
  fromName: string | null
  /** Where answers go, if not to the sender. */
  replyTo: string | null
  /** The one-click unsubscribe URL; null for a mail that cannot be stopped. */
  stopUrl: string | null
  attachments: { name: string; contentType: string; content: Uint8Array | string }[]
}
