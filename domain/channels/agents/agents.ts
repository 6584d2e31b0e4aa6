/** States and limits of shopping agent sessions. Safe in the browser. */

/** How long a session stays open for its next step. */
export const sessionHours = 6
/** How long a link to a browser opens its checkout; every answer to the platform has a new one. */
export const handoverMinutes = 60
/** The number of days after an order that a platform is notified of changes. */
export const toldForDays = 90

export type SessionKind = 'cart' | 'checkout'

/** What a platform said of its buyer, as it said it. */
export type Said = Readonly<Record<string, unknown>>

/** A cart or a checkout that an agent opened. */
export type AgentSession = {
  readonly id: string
  readonly kind: SessionKind
  readonly cartId: string
  /** The session's account; null for a guest. */
  readonly accountId: string | null
  readonly platform: string
  readonly version: string
  readonly webhookUrl: string | null
  readonly said: Said
  readonly handoverKey: string
  readonly handedOverAt: Temporal.Instant | null
  readonly canceledAt: Temporal.Instant | null
  readonly toldDigest: string | null
  readonly expiresAt: Temporal.Instant
}

/**
 * `open`: the platform may change it. `handed-over`: a person decides in the browser, and the platform only reads.
 * `over`: canceled or expired. An order ends all three.
 */
export type SessionState = 'open' | 'handed-over' | 'over'

export function sessionState(
  { canceledAt, handedOverAt, expiresAt }: Pick<AgentSession, 'canceledAt' | 'handedOverAt' | 'expiresAt'>,
  now: Temporal.Instant,
): SessionState {
  if (canceledAt || Temporal.Instant.compare(expiresAt, now) <= 0) return 'over'
  return handedOverAt ? 'handed-over' : 'open'
}
