import { sql, type RawBuilder } from 'kysely'

/** Rows with the `cart_id` of shoppers' carts that were started from `from` until `until` and have tires in them. */
export function startedCartRows({
  from,
  until,
}: {
  from: Temporal.Instant
  until: Temporal.Instant
}): RawBuilder<unknown> {
  return sql`
    select cart.id as cart_id, cart.created_at from cart
    where not is_check and created_at >= ${from.toString()}::timestamptz and created_at < ${until.toString()}::timestamptz
      and exists (select from cart_line where cart_line.cart_id = cart.id)`
}
