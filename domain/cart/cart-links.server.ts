/**
 * Handing a cart over by link. A program fills a cart and knows its key; the person who opens the link gets a cart of
 * their own with the same tires, place and held time, so that what they then type stays unknown to the program.
 */
import { createHash, randomBytes } from 'node:crypto'
import { moveHold } from '#domain/booking/booking.server.ts'
import { lockOpenCart } from '#domain/cart/account-cart.sql.server.ts'
import {
  copyCart,
  countOpenLinks,
  insertLink,
  lockLink,
  markOpened,
  selectLink,
  type CartLinkRow,
} from '#domain/cart/cart-links.sql.server.ts'
import { cartLinkMinutes, mostOpenCartLinks } from '#domain/cart/cart.ts'
import type { Clock } from '#platform/clock.ts'
import { inTransaction, type Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

export type LinkRefusal = Refused<'not-found'> | Refused<'expired'> | Refused<'opened'> | Refused<'empty'>

/**
 * Makes a link to the open cart with this key and returns its token, which is nowhere else. The caller has checked that
 * the cart is the buyer's. Refuses `no-cart` for one that is empty or ordered, and `too-many` while as many links as a
 * cart may have are unopened.
 */
export function makeCartLink(
  { db, clock }: Deps,
  { cartId }: { cartId: string },
): Promise<Outcome<{ token: string; expiresAt: Temporal.Instant }, Refused<'no-cart'> | Refused<'too-many'>>> {
  const at = clock.now()
  const token = randomBytes(32).toString('base64url')
  return inTransaction(db, async (tx) => {
    const cart = await lockOpenCart(tx, cartId)
    if (!cart || cart.tires === 0) return refused('no-cart')
    if ((await countOpenLinks(tx, cartId, at)) >= mostOpenCartLinks) return refused('too-many')
    const expiresAt = at.add({ minutes: cartLinkMinutes })
    await insertLink(tx, { hash: hashOf(token), cartId, at, expiresAt })
    return ok({ token, expiresAt })
  })
}

/** Returns the key of the cart that a link would open; changes nothing, as mail programs open links, too. */
export async function readCartLink(
  { db, clock }: Deps,
  token: string,
): Promise<Outcome<{ cartId: string; expiresAt: Temporal.Instant }, LinkRefusal>> {
  return usable(isToken(token) ? await selectLink(db, hashOf(token)) : undefined, clock.now())
}

/**
 * Opens the link, once: returns the key of a new cart that belongs to nobody yet and has the held time, which the
 * program's cart loses. Two at once open it once.
 */
export function openCartLink({ db, clock }: Deps, token: string): Promise<Outcome<{ cartId: string }, LinkRefusal>> {
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    const link = usable(isToken(token) ? await lockLink(tx, hashOf(token)) : undefined, at)
    if (!link.ok) return link
    const from = await lockOpenCart(tx, link.value.cartId)
    if (!from || from.tires === 0) return refused('empty')
    const into = newId()
    await copyCart(tx, { from: from.id, into, at })
    await moveHold(tx, { from: from.id, into })
    await markOpened(tx, hashOf(token), into, at)
    return ok({ cartId: into })
  })
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
