/** The provider of text messages. */
export interface TextSender {
  /** Sends one text. `refused` is for good; `stopped` means that the phone's owner stopped them at the provider. */
  send(text: OutgoingText): Promise<{ ok: true; ref: string } | TextRefusal>
  /** Finds a text message sent since `since`, after a request without a response; undefined if it wasn't sent. */
  find(text: OutgoingText & { since: Temporal.Instant }): Promise<{ ok: true; ref: string | undefined } | TextRefusal>
  /** Verifies that a posted form comes from the provider. `path` is the path it was posted to. */
  isFromProvider(post: { path: string; signature: string; fields: Readonly<Record<string, string>> }): Promise<boolean>
}

export type OutgoingText = { to: string; body: string }
export type TextRefusal = {
  ok: false
  reason: 'stopped' | 'refused' | 'unavailable'
  code: number | null
  cause: unknown
}
