/**
 * Cart links, which transfer a cart to another person. A client app fills a cart and has its key. The person who opens
 * the link gets a new cart with the same tires or service, location and reservation, so that the app can't see what they enter.
 */
import { createHash, randomBytes } from 'node:crypto'
import { moveHold } from '#domain/scheduling/booking/booking.server.ts'
import { lockOpenCart, rotateCart } from './account-cart.sql.server.ts'
import {
  copyCart,
  insertOpened,
  countOpenLinks,
  insertLink,
  lockLink,
  markOpened,
  selectLink,
  selectPrepared,
  type CartLinkRow,
} from './cart-links.sql.server.ts'
import { cartLinkMinutes, mostOpenCartLinks } from './cart.ts'
import type { Clock } from '#platform/clock.ts'
import { inTransaction, type Database, type Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

export type LinkRefusal = Refused<'not-found'> | Refused<'expired'> | Refused<'opened'> | Refused<'empty'>

/**
 * Makes a link to the open cart with this key and returns its token. The token isn't stored. The caller has checked
 * that the cart is the buyer's. Refuses `no-cart` if it is empty or ordered, and `too-many` at the limit of unopened
 * links per cart.
 */
export function makeCartLink(
  { db, clock }: Deps,
  { cartId }: { cartId: string },
): Promise<Outcome<{ token: string; expiresAt: Temporal.Instant }, Refused<'no-cart'> | Refused<'too-many'>>> {
  const at = clock.now()
  const token = randomBytes(32).toString('base64url')
  return inTransaction(db, async (tx) => {
    const cart = await lockOpenCart(tx, cartId)
    if (!cart || isEmpty(cart)) return refused('no-cart')
    if ((await countOpenLinks(tx, cartId, at)) >= mostOpenCartLinks) return refused('too-many')
    const expiresAt = at.add({ minutes: cartLinkMinutes })
    await insertLink(tx, { hash: hashOf(token), cartId, at, expiresAt })
    return ok({ token, expiresAt })
  })
}

/** Returns the key of the cart a link would open, without changes, because email clients prefetch links. */
export async function readCartLink(
  { db, clock }: Deps,
  token: string,
): Promise<Outcome<{ cartId: string; expiresAt: Temporal.Instant }, LinkRefusal>> {
  return usable(isToken(token) ? await selectLink(db, hashOf(token)) : undefined, clock.now())
}

/**
 * Opens the link once. Returns the key of a new, unowned cart that takes over the reservation from the client's cart.
 * Safe under concurrent requests.
 */
export function openCartLink({ db, clock }: Deps, token: string): Promise<Outcome<{ cartId: string }, LinkRefusal>> {
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    const link = usable(isToken(token) ? await lockLink(tx, hashOf(token)) : undefined, at)
    if (!link.ok) return link
    const from = await lockOpenCart(tx, link.value.cartId)
    if (!from || isEmpty(from)) return refused('empty')
    const into = newId()
    await copyCart(tx, { from: from.id, into, at })
    await moveHold(tx, { from: from.id, into })
    await markOpened(tx, hashOf(token), into, at)
    return ok({ cartId: into })
  })
}

function isEmpty({ tires, service }: { tires: number; service: string | null }): boolean {
  return tires === 0 && service === null
}

/**
 * Transfers the open guest cart of an agent's checkout to the first person who opens it. Returns its new key, which no
 * other client has, and the key of a copy, which the agent and later visitors see from then on. The person's cart has
 * the reservation and the details the agent provided. Returns undefined if the cart is empty or not open, or is an
 * account's.
 */
export async function handOverCart(
  tx: Tx,
  { cartId, at }: { cartId: string; at: Temporal.Instant },
): Promise<{ cartId: string; preparedCartId: string } | undefined> {
  const cart = await lockOpenCart(tx, cartId)
  if (!cart || cart.tires === 0 || cart.accountId !== null) return undefined
  const preparedCartId = newId()
  await copyCart(tx, { from: cartId, into: preparedCartId, at })
  const own = await rotateCart(tx, cartId)
  await keepOrigin(tx, { from: preparedCartId, into: own, at })
  return { cartId: own, preparedCartId }
}

/**
 * Returns the key of a new cart for a later visitor of the same checkout, with the agent's data and without anything
 * entered by the person with the cart `cartId`. Returns undefined once that person has ordered.
 */
export async function handOverAgain(
  tx: Tx,
  { cartId, at }: { cartId: string; at: Temporal.Instant },
): Promise<string | undefined> {
  const prepared = await selectPrepared(tx, cartId)
  const from = prepared === undefined ? undefined : await lockOpenCart(tx, prepared)
  if (!from || from.tires === 0 || from.accountId !== null) return undefined
  const into = newId()
  await copyCart(tx, { from: from.id, into, at })
  await keepOrigin(tx, { from: from.id, into, at })
  return into
}

/** Returns the key of what the agent prepared, for the open cart that a person took over; undefined once it is ordered. */
export function findPreparedCart({ db }: Pick<Deps, 'db'>, cartId: string): Promise<string | undefined> {
  return selectPrepared(db, cartId)
}

/** Stores what a cart was copied from, as a link that was opened when it was made. */
function keepOrigin(tx: Tx, { from, into, at }: { from: string; into: string; at: Temporal.Instant }): Promise<void> {
  const expiresAt = at.add({ minutes: cartLinkMinutes })
  return insertOpened(tx, { hash: hashOf(randomBytes(32).toString('base64url')), from, into, at, expiresAt })
}

function usable(
  link: CartLinkRow | undefined,
  now: Temporal.Instant,
): Outcome<{ cartId: string; expiresAt: Temporal.Instant }, LinkRefusal> {
  if (!link) return refused('not-found')
  if (link.openedAt !== null) return refused('opened')
  if (Temporal.Instant.compare(link.expiresAt, now) <= 0) return refused('expired')
  return ok(link)
}

function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
