/** Forgetting abandoned carts. */
import { sql, type RawBuilder } from 'kysely'
import { inTransaction, type Database } from '#platform/db.ts'

/** Carts per transaction, limited so that a returning shopper isn't blocked for long. */
const batch = 1_000

/**
 * Deletes open carts not changed since `before`. Those that a payment or an appointment refers to are emptied instead
 * and lose their owner. Carts with a payment that may still be claimed are left alone. Returns how many carts were
 * deleted or emptied.
 */
export async function forgetAbandonedCarts(db: Database, before: Temporal.Instant): Promise<number> {
  const isNamed = sql<boolean>`(exists (select from payment where payment.cart_id = cart.id) or exists (select from booking where booking.cart_id = cart.id))`
  const mayBeClaimed = sql<boolean>`(exists (select from payment where payment.cart_id = cart.id and payment.state in ('pending', 'authorized')) or exists (select from booking where booking.cart_id = cart.id and booking.state = 'held'))`
  const saysSomething = sql<boolean>`(cart.zip is not null or cart.vehicle is not null or cart.account_id is not null or cart.referral_code is not null or exists (select from cart_line where cart_id = cart.id) or exists (select from cart_service where cart_id = cart.id))`
  const deleted = await changeIdleCarts(db, before, sql`not ${isNamed}`, async (tx, ids) => {
    await tx.deleteFrom('cart').where('id', 'in', ids).execute()
  })
  const isToEmpty = sql`${isNamed} and not ${mayBeClaimed} and ${saysSomething}`
  const emptied = await changeIdleCarts(db, before, isToEmpty, async (tx, ids) => {
    await tx.deleteFrom('cart_line').where('cart_id', 'in', ids).execute()
    await tx.deleteFrom('cart_service').where('cart_id', 'in', ids).execute()
    await tx
      .updateTable('cart')
      .set({
        zip: null,
        vehicle: null,
        account_id: null,
        referral_code: null,
        referral_opened_at: null,
        uses_credit: false,
        for_caller: false,
      })
      .where('id', 'in', ids)
      .execute()
  })
  return deleted + emptied
}

/**
 * Applies `change` to unlocked open carts that match `such` and were not changed since `before`, in batches, each
 * locked in its own transaction. Returns how many there were.
 */
export function changeIdleCarts(
  db: Database,
  before: Temporal.Instant,
  such: RawBuilder<unknown>,
  change: (tx: Database, cartIds: string[]) => Promise<void>,
): Promise<number> {
  return inBatches(() =>
    inTransaction(db, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select cart.id from cart
        where cart.state = 'open' and cart.updated_at < ${before.toString()}::timestamptz and (${such})
        limit ${batch} for update skip locked`.execute(tx)
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await change(tx, ids)
      return ids.length
    }),
  )
}

/** Deletes a cart of the payment page check, and those that crashed checks left before `before`. */
export async function deleteCheckCarts(
  db: Database,
  { cartId, before }: { cartId: string | null; before: Temporal.Instant },
): Promise<void> {
  await sql`
    delete from cart where is_check and (id = ${cartId}::uuid or created_at < ${before.toString()}::timestamptz)`.execute(
    db,
  )
}

async function inBatches(work: () => Promise<number>): Promise<number> {
  let all = 0
  for (;;) {
    const done = await work()
    all += done
    if (done < batch) return all
  }
}
