/** Which orders a caller may see, and how much of them. */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import {
  opensOrder,
  orderAccessOf,
  readOrder,
  showsOrder,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import type { Application } from '#application'

/** The number of an order in an address. */
export const orderId = z.coerce
  .number()
  .int()
  .min(1)
  .max(999_999_999_999_999)
  .meta({ examples: [104001] })
/** The keys that open an order. */
export const orderKeys = z.strictObject({
  key: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'The key from a link in our email, or from a verified code: full access' }),
  look: z.string().max(200).optional().meta({ description: 'The key from an order lookup: status only' }),
})

/** Returns the order if the caller may see any of it. `isOwn`: the caller may see all of it. */
export async function findOwn(
  app: Application,
  caller: Caller,
  asked: number,
  { key, look }: { key?: string | undefined; look?: string | undefined },
): Promise<{ order: OrderView; isOwn: boolean; mayCancel: boolean } | undefined> {
  const { secret } = app.config.session
  const now = app.clock.now()
  const isKnown =
    opensOrder(secret, key, asked, now) ||
    caller.visitor.orderIds.includes(asked) ||
    caller.visitor.orderKeys.some((kept) => opensOrder(secret, kept, asked, now)) ||
    (await isOfCart(app, caller, asked))
  const access = isKnown ? 'own' : await accessOfAccount(app, caller, asked)
  // A company that calls without an account, for example a military exchange.
  const { companyId } = app.buyer
  if (!access && companyId === undefined && !showsOrder(secret, look, asked, now)) return undefined
  const found = await readOrder(app.db, asked)
  if (found && companyId !== undefined)
    return found.purchase?.companyId === companyId ? { order: found, isOwn: true, mayCancel: false } : undefined
  return found && { order: found, isOwn: access !== undefined, mayCancel: access === 'own' }
}

async function isOfCart(app: Application, { cartId }: Caller, asked: number): Promise<boolean> {
  return cartId !== undefined && (await readCart(app, cartId))?.orderId === asked
}

async function accessOfAccount(app: Application, caller: Caller, asked: number): Promise<'own' | 'read' | undefined> {
  const signedIn = await caller.signedIn()
  return signedIn && orderAccessOf(app, signedIn.accountId, asked)
}
