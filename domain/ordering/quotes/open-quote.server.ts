/** The customer's side of a quote (the link, the cart it opens, and the order that uses it up). */
import { openQuotedCart, takeOverCallerCart } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { paths } from '#content/paths.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { sign, verify } from '#platform/signing.ts'
import { lockVehicles, selectVehicles } from './quote-vehicles.sql.server.ts'
import { lockQuote, moveQuote, selectQuote, type Quote } from './quotes.sql.server.ts'
import { holds, isForAccountOnly } from './quotes.ts'
import type { Secrets } from '#platform/secrets.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'session'> }

const purpose = 'quote'

/** Returns the URL for the email, which opens only this quote and contains no other data. */
export function quoteLink(secret: Secrets, id: number): string {
  return paths.quote(quoteToken(secret, id))
}

/** What names the quote in that address. */
export function quoteToken(secret: Secrets, id: number): string {
  return sign(secret, purpose, String(id))
}

function idIn(secret: Secrets, token: string): number | undefined {
  const value = verify(secret, purpose, token.slice(0, 100))
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** Why a quote does not open. `account`: the quote has an account's prices, and the customer has to sign in to it. */
export type OpenRefusal =
  | Refused<'not-found'>
  | Refused<'expired'>
  | Refused<'withdrawn'>
  | Refused<'replaced'>
  | Refused<'ordered'>
  | Refused<'account'>

/**
 * Reads a link's quote for its page, with its vehicles and whether each can be opened. Read-only, because email scanners
 * follow links. Refuses a quote without a vehicle that can be opened.
 */
export async function readQuote(
  { db, clock, config }: Deps,
  { token, accountId }: { token: string; accountId: string | null },
): Promise<Outcome<{ main: Quote; vehicles: { quote: Quote; isOpen: boolean }[] }, OpenRefusal>> {
  const id = idIn(config.session.secret, token)
  const vehicles = id === undefined ? [] : await selectVehicles(db, id)
  const checked = vehicles.map((quote) => checkOpenable(quote, { accountId, at: clock.now() }))
  const [main] = vehicles
  if (!main || !checked.some(({ ok: isOpen }) => isOpen)) return whyClosed(checked)
  return ok({ main, vehicles: vehicles.map((quote, index) => ({ quote, isOpen: checked[index]?.ok === true })) })
}

/** The refusal of a vehicle that isn't ordered, or else of the first. */
function whyClosed(checked: readonly Outcome<Quote, OpenRefusal>[]): OpenRefusal {
  const refusals = checked.flatMap((one) => (one.ok ? [] : [one]))
  return refusals.find(({ reason }) => reason !== 'ordered') ?? refusals[0] ?? refused('not-found')
}

/**
 * Opens the visitor's cart for a vehicle at the quoted prices and returns its key. Uses the account's cart, or the one in a guest's
 * browser, `browserCartId`, if it was opened from this quote before. The first visitor takes over the cart in which
 * staff held a time. The first order claims the vehicle's price. Marks the vehicle opened. `isFirst` means that no
 * vehicle was opened before.
 */
export async function openQuote(
  { db, clock, config }: Deps,
  {
    token,
    accountId,
    browserCartId,
    position = 1,
  }: { token: string; accountId: string | null; browserCartId?: string | undefined; position?: number | undefined },
): Promise<Outcome<{ cartId: string; isTakenOver: boolean; isFirst: boolean; quote: Quote }, OpenRefusal>> {
  const id = idIn(config.session.secret, token)
  if (id === undefined) return refused('not-found')
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const vehicles = await lockVehicles(tx, id)
    const found = checkOpenable(
      vehicles.find((vehicle) => vehicle.position === position),
      { accountId, at },
    )
    if (!found.ok) return found
    const quote = found.value
    const isFirst = !vehicles.some(({ state }) => state === 'opened' || state === 'ordered')
    const isNew = quote.state !== 'opened'
    if (isNew) await moveQuote(tx, quote, 'opened', { by: 'Customer', at })
    const takenOver = isNew ? await takeOverCallerCart(tx, { quoteId: quote.id, accountId }) : undefined
    const cartId =
      takenOver ?? (await openQuotedCart(tx, { ...quote, quoteId: quote.id, accountId, browserCartId, at }))
    return ok({ cartId, isTakenOver: takenOver !== undefined, isFirst, quote })
  })
}

/** Why staff can't open a quote's cart. */
export type StaffOpenRefusal =
  | OpenRefusal
  /** A visitor without an account opened the link, and the cart opens only in that browser. */
  | Refused<'opened'>

/**
 * Opens the cart for a quote's account, for staff who order it by phone. The quote doesn't change until then. Without an
 * account, it is the cart that the first visitor to open the link takes over; refuses `opened` after that.
 */
export async function openQuoteAsStaff(
  tx: Tx,
  id: number,
  at: Temporal.Instant,
): Promise<Outcome<{ cartId: string; accountId: string | null; lines: Quote['lines'] }, StaffOpenRefusal>> {
  const locked = await lockQuote(tx, id)
  const found = checkOpenable(locked, { accountId: locked?.accountId ?? null, at })
  if (!found.ok) return found
  const { accountId, state } = found.value
  const forCaller = accountId === null
  if (forCaller && state === 'opened') return refused('opened')
  const opening = { ...found.value, quoteId: id, accountId, browserCartId: undefined, forCaller, at }
  const cartId = await openQuotedCart(tx, opening)
  return ok({ cartId, accountId, lines: found.value.lines })
}

function checkOpenable(
  quote: Quote | undefined,
  { accountId, at }: { accountId: string | null; at: Temporal.Instant },
): Outcome<Quote, OpenRefusal> {
  if (!quote || quote.sentAt === null) return refused('not-found')
  const { state } = quote
  if (state === 'withdrawn' || state === 'replaced' || state === 'ordered') return refused(state)
  if (!holds(quote, at)) return refused('expired')
  if (isForAccountOnly(quote.label) && (accountId === null || quote.accountId !== accountId)) return refused('account')
  return ok(quote)
}

/** The email of the staff member who wrote a quote; null for one of an account or a fleet. */
export async function findSeller(tx: Tx, quoteId: number): Promise<string | null> {
  const author = (await selectQuote(tx, quoteId))?.author
  return author?.kind === 'staff' && /^[^\s@]+@[^\s@]+$/.test(author.name) ? author.name : null
}

/**
 * Marks the quote of `cart` as ordered, in the transaction that places the order and has locked the quote. False if the
 * quote has expired, so the order isn't placed at its prices.
 */
export async function claimQuote(
  tx: Tx,
  { cart, orderId, at }: { cart: Pick<Cart, 'quoteId' | 'lines'>; orderId: number; at: Temporal.Instant },
): Promise<boolean> {
  const quote = cart.quoteId === null ? undefined : await lockQuote(tx, cart.quoteId)
  if (!quote || !holds(quote, at)) return false
  const note = isAsQuoted(quote, cart.lines) ? 'As quoted' : 'With changes'
  return moveQuote(tx, quote, 'ordered', { by: 'Customer', at, note, orderId })
}

function isAsQuoted(quote: Quote, lines: Cart['lines']): boolean {
  return isSameTires(quote.lines, lines)
}

type Counted = readonly { itemId: number; quantity: number }[]

/** Whether two lists name the same tires in the same quantities. */
export function isSameTires(one: Counted, other: Counted): boolean {
  const tires = (from: Counted) =>
    from
      .map(({ itemId, quantity }) => `${itemId} ${quantity}`)
      .toSorted()
      .join()
  return tires(one) === tires(other)
}
