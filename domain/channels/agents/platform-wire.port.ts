import type { Outcome, Refused } from '#platform/outcome.ts'

/**
 * `refused`: the address may not be called, as one of a private network. `too-large`: the answer is.
 */
export type WireRefusal = Refused<'refused'> | Refused<'unreachable'> | Refused<'too-large'>

/** Calls to the platforms of shopping agents, at addresses that they name themselves. */
export type PlatformWire = {
  /** Reads a document. Follows no redirect. */
  read(url: URL): Promise<Outcome<{ text: string; maxAgeSeconds: number | null }, WireRefusal>>
  /** Posts a message; whatever is answered is only counted as taken (2xx) or not. */
  send(
    url: URL,
    message: { headers: Readonly<Record<string, string>>; body: Uint8Array },
  ): Promise<Outcome<null, WireRefusal>>
}
