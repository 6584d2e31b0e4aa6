/**
 * The second factor of an order lookup by number and ZIP code. We email a code to the order's address. It opens the
 * whole order in the browser that asked for it, for a while.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { MessageValues } from '#domain/messaging/messages/messages.ts'
import { codeKey, showsOrder, trackingToken } from './order-access.server.ts'
import { countCodeAttempt, insertOrderCode, lockOrderCode, selectCodeEmail } from './order-code.sql.server.ts'
import { maskEmail, orderCodeLife } from './order-code.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { makingSecret, someSecret, type Secrets } from '#platform/secrets.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'session'> }

/** The requester's lookup key (number and ZIP code) and browser. */
type Asker = { orderId: number; look: string | null | undefined; browserId: string }

export type CodeRefusal =
  | Refused<'order-not-found'>
  | Refused<'code-wrong'>
  | Refused<'code-expired'>
  | Refused<'code-used'>
  | Refused<'code-exhausted'>

/**
 * Emails a code to the order's address and returns that address, masked, with a lookup key that outlives the code.
 * Without a lookup key, the request isn't looked up or counted, whether or not the order exists.
 */
export async function askForCode(
  deps: Deps & { rateLimits: RateLimits },
  { orderId, look, browserId, from }: Asker & { from: string },
): Promise<
  Outcome<
    { sentTo: string; look: string },
    Refused<'order-not-found'> | Refused<'too-many-attempts', { retryAfterSeconds: number }>
  >
> {
  const at = deps.clock.now()
  const { secret } = deps.config.session
  if (!showsOrder(secret, look, orderId, at)) return refused('order-not-found')
  const taken = await deps.rateLimits.take('order-code', { order: orderId, network: from })
  if (!taken.ok) return refused('too-many-attempts', taken.detail)
  const id = newId()
  const email = await deps.db.transaction().execute(async (tx) => {
    const made = await insertOrderCode(tx, { id, orderId, browserId, at })
    if (made?.isNew) await queueMessage(tx, { kind: 'order-code', key: messageKeyOf(id), to: made.email, orderId, at })
    return made?.email
  })
  return email === undefined
    ? refused('order-not-found')
    : ok({ sentTo: maskEmail(email), look: trackingToken(secret, orderId, at) })
}

/**
 * Returns a key that opens the order for a while if `code` is the one this browser asked for, and uses the code up. The
 * row is locked, and an attempt is written whatever comes of it: simultaneous attempts count one by one.
 */
export async function verifyCode(
  { db, clock, config }: Deps,
  { code, look, ...asker }: Asker & { code: string },
): Promise<Outcome<{ key: string }, CodeRefusal>> {
  const now = clock.now()
  const { secret } = config.session
  if (!showsOrder(secret, look, asker.orderId, now)) return refused('order-not-found')
  return db.transaction().execute(async (tx) => {
    const asked = await lockOrderCode(tx, asker)
    if (!asked) return refused('code-wrong')
    if (asked.usedAt) return refused('code-used')
    if (asked.attempts >= orderCodeLife.attempts) return refused('code-exhausted')
    if (Temporal.Instant.compare(now, asked.expiresAt) >= 0) return refused('code-expired')
    const isRight = someSecret(secret, (each) =>
      timingSafeEqual(Buffer.from(orderCodeOf(each, asked.id)), Buffer.from(code)),
    )
    await countCodeAttempt(tx, asked.id, isRight ? now : null)
    if (isRight) return ok({ key: codeKey(secret, asker.orderId, now) })
    return refused(asked.attempts + 1 < orderCodeLife.attempts ? 'code-wrong' : 'code-exhausted')
  })
}

/** Returns the masked address this browser's code was emailed to, or null if it didn't request one. */
export async function readCodeAddress(
  { db }: Pick<Deps, 'db'>,
  { orderId, browserId }: { orderId: number; browserId: string | undefined },
): Promise<string | null> {
  const email = browserId === undefined ? undefined : await selectCodeEmail(db, { orderId, browserId })
  return email === undefined ? null : maskEmail(email)
}

/**
 * Returns the six-digit code for this id, an HMAC truncated as in RFC 4226. The table doesn't contain the code, so a
 * reader of the table can't derive it without the secret, and the email job doesn't depend on a stored code.
 */
export function orderCodeOf(secret: Secrets, id: string): string {
  const mac = createHmac('sha256', makingSecret(secret)).update(`order-code\n${id}`).digest()
  // 48 bits: the remainder favors no code by more than one in a hundred million.
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

/** Returns the values of the mail with a code. */
export function orderCodeMessageValues(
  { config }: { config: Pick<Config, 'session' | 'store'> },
  { orderId, key }: { orderId: number | null; key: string },
): MessageValues {
  if (orderId === null) throw new Error(`The order of the code ${key} is not there.`)
  return {
    orderNumber: orderNumber(orderId),
    code: orderCodeOf(config.session.secret, key.slice(messageKeyOf('').length)),
    minutes: String(orderCodeLife.minutes),
    store: config.store.name,
  }
}

function messageKeyOf(codeId: string): string {
  return `order-code:${codeId}`
}
