import { sql, type RawBuilder } from 'kysely'
import { oldestDotWeek } from '#domain/supply/stock/stock.server.ts'
import { partInCart } from '#domain/supply/parts/parts.server.ts'
import type { SoldItems } from './sold-items.port.ts'
import type { Cart, CartLine, CartPart, Fulfillment, NewLine, CartPaymentMethod } from './cart.ts'
import {
  accountPrice,
  type AccountPricing,
  type AccountType,
  type ListedItem,
} from '#domain/pricing/price-tiers/price-tiers.ts'
import { inTransaction, type Database } from '#platform/db.ts'

type CartRow = {
  id: string
  version: number
  state: Cart['state']
  account_id: string | null
  order_id: number | null
  zip: string | null
  vehicle: unknown
  fulfillment: Fulfillment | null
  shop_id: number | null
  carrier_location_id: number | null
  pickup_warehouse_id: number | null
  roadside: boolean
  coverage_asked: boolean
  referral_code: string | null
  referral_opened_at: Temporal.Instant | null
  credit_cents: number
  payment_method: CartPaymentMethod
  quote_id: number | null
  coupon_id: number | null
  dealer: Cart['dealer']
  services: Cart['services']
  parts: { part: Omit<CartPart, 'quantity'>; quantity: number }[]
  lines: (Omit<CartLine, 'unitCents' | 'account' | 'quote' | 'available'> & {
    inStock: number
    listed: ListedItem
    quoted: Quoted | null
  })[]
}

/** An item's terms in the cart's quote. */
type Quoted = { label: AccountType; unitCents: number; quantity: number }

/** A cart's parts, as JSON. */
const partsOfCart = sql`coalesce((
  select json_agg(json_build_object('part', ${partInCart(sql`cart_part.part_id`)}, 'quantity', quantity) order by added_at, part_id)
  from cart_part where cart_part.cart_id = cart.id), '[]')`

/**
 * Reads the cart with everything about its lines, in one statement, at the prices of `pricing`. Lines are in the order
 * they were added.
 */
export async function selectCart(
  db: Database,
  id: string,
  now: Temporal.Instant,
  pricing: AccountPricing | null,
): Promise<Cart | undefined> {
  const result = await sql<CartRow>`
    select cart.id, cart.version, cart.state, cart.account_id, (select sales_order.id from sales_order where sales_order.cart_id = cart.id) as order_id, cart.zip, cart.vehicle, cart.fulfillment, cart.shop_id, cart.carrier_location_id, cart.pickup_warehouse_id, cart.roadside, cart.coverage_asked,
      cart.referral_code, cart.referral_opened_at, cart.payment_method, cart.quote_id, cart.coupon_id,
      (select json_build_object('shopId', dealer.id, 'dealerCode', store.dealer_code, 'installerId', dealer.code, 'name', store.name)
        from branded_store store join shop dealer on dealer.id = store.shop_id where store.shop_id = cart.dealer_shop_id and store.switched_on and dealer.active) as dealer,
      case when cart.uses_credit then coalesce((select -sum(amount_cents) from ledger_entry where owner_id = cart.account_id and account = 'store-credit'), 0)::int else 0 end as credit_cents,
      coalesce((
        select json_agg(json_build_object(
          'itemId', item.id, 'axle', line.axle, 'quantity', line.quantity, 'coverage', line.coverage, 'seenUnitCents', line.seen_unit_cents,
          'retailUnitCents', item.retail_cents, 'mapCents', item.map_cents, 'fetUnitCents', item.fet_cents,
          'listed', json_build_object('id', item.id, 'lineId', product_line.id, 'brandId', brand.id, 'sizeSlug', size.slug, 'retailCents', item.retail_cents, 'costCents', item.cost_cents),
          'quoted', ${quotedLine(now)},
          'inStock', case when item.active then (select coalesce(sum(stock.on_hand), 0) from stock where stock.item_id = item.id) else 0 end,
          'heldUnits', (select coalesce(sum(hold.quantity), 0) from stock_hold hold join booking on booking.id = hold.booking_id
            where hold.item_id = item.id and booking.state = 'held' and booking.hold_expires_at > ${now.toString()}::timestamptz and booking.cart_id <> cart.id),
          'article', json_build_object(
            'sku', item.sku, 'brandId', brand.id, 'lineId', product_line.id, 'brand', brand.name, 'brandSlug', brand.slug, 'line', product_line.name, 'lineSlug', product_line.slug, 'tread', product_line.tread,
            'size', size.designation, 'sizeKind', size.kind, 'rimIn', size.rim_in, 'aspect', size.aspect, 'runFlat', item.run_flat, 'loadRange', item.load_range, 'weightLb', item.weight_lb, 'oldestDotWeek', ${oldestDotWeek(sql`item`)},
            'service', concat(item.load_index, case when item.dual_load_index is not null then '/' || item.dual_load_index end, item.speed),
            'promotions', coalesce((
              select json_agg(json_build_object('id', promotion.id, 'name', promotion.name, 'kind', promotion.kind, 'amount', promotion.amount, 'fundedBy', promotion.funded_by,
                'alreadyApplied', promotion.already_applied, 'linkToCoverage', promotion.link_to_coverage) order by promotion.id)
              from promotion
              where promotion.starts_at <= ${now.toString()}::timestamptz and promotion.ends_at > ${now.toString()}::timestamptz
                and not exists (select from promotion_exclusion left_out where left_out.promotion_id = promotion.id and left_out.item_id = item.id)
                and (promotion.filter_id is null or exists (select from tires_of_filter(promotion.filter_id) filtered where filtered.item_id = item.id))
                and (promotion.item_id = item.id
                  or promotion.item_id is null and (promotion.product_line_id = product_line.id
                    or promotion.product_line_id is null and (promotion.brand_id = brand.id or promotion.brand_id is null)))), '[]'))
        ) order by line.added_at, line.axle, item.id)
        from cart_line line
        join item on item.id = line.item_id
        join size on size.id = item.size_id
        join product_line on product_line.id = item.product_line_id
        join brand on brand.id = product_line.brand_id
        where line.cart_id = cart.id), '[]') as lines,
      ${partsOfCart} as parts,
      coalesce((
        select json_agg(json_build_object('service', service, 'units', units))
        from cart_service where cart_service.cart_id = cart.id), '[]') as services
    from cart where cart.id = ${id}::uuid`.execute(db)
  const row = result.rows[0]
  return row && cartOf(row, pricing)
}

function cartOf(row: CartRow, pricing: AccountPricing | null): Cart {
  return {
    id: row.id,
    version: row.version,
    state: row.state,
    accountId: row.account_id,
    orderId: row.order_id,
    zip: row.zip,
    vehicle: row.vehicle,
    fulfillment: row.fulfillment,
    shopId: row.shop_id,
    carrierLocationId: row.carrier_location_id,
    pickupWarehouseId: row.pickup_warehouse_id,
    roadside: row.roadside,
    servicesAsked: row.coverage_asked,
    referral:
      row.referral_code !== null && row.referral_opened_at !== null
        ? { code: row.referral_code, openedAt: row.referral_opened_at }
        : null,
    couponId: row.coupon_id,
    creditCents: row.credit_cents,
    paymentMethod: row.payment_method,
    quoteId: row.quote_id,
    dealer: row.dealer,
    services: row.services,
    parts: row.parts.map(({ part, quantity }) => ({ ...part, quantity })),
    lines: row.lines.map(({ listed, quoted, inStock, ...line }) => ({
      ...line,
      available: Math.max(0, inStock - line.heldUnits),
      ...priceFor(listed, pricing),
      ...(quoted && isWithin(quoted, line.itemId, row.lines) && quotedPrice(quoted)),
    })),
  }
}

/** The buyer's price of a tire before promotions. */
function priceFor(listed: ListedItem, pricing: AccountPricing | null): Pick<CartLine, 'unitCents' | 'account'> {
  if (!pricing) return { unitCents: listed.retailCents }
  const own = accountPrice(pricing, listed)?.unitCents ?? null
  return { unitCents: own ?? listed.retailCents, account: { type: pricing.type, unitCents: own } }
}

/**
 * The line of the cart's quote about the article, as JSON; null unless the quote holds at `now` and, made at an account's
 * prices, the cart belongs to that account.
 */
function quotedLine(now: Temporal.Instant): RawBuilder<unknown> {
  return sql`(
    select json_build_object('label', sales_quote.price_label, 'unitCents', quoted.unit_cents, 'quantity', quoted.quantity)
    from sales_quote join sales_quote_line quoted on quoted.quote_id = sales_quote.id
    where sales_quote.id = cart.quote_id and quoted.item_id = item.id and cart.state <> 'ordered'
      and sales_quote.state in ('sent', 'delivered', 'bounced', 'opened') and sales_quote.expires_at > ${now.toString()}::timestamptz
      and (sales_quote.price_label in ('Retail', 'Special Order') or sales_quote.account_id = cart.account_id))`
}

/** Whether the cart has no more of the article than were quoted, on both axles together. */
function isWithin(quoted: Quoted, itemId: number, lines: CartRow['lines']): boolean {
  const same = lines.filter((line) => line.itemId === itemId)
  return same.reduce((sum, { quantity }) => sum + quantity, 0) <= quoted.quantity
}

function quotedPrice({ label, unitCents }: Quoted): Pick<CartLine, 'unitCents' | 'quote'> {
  return { unitCents, quote: { label, unitCents } }
}

/** Returns the buyer's current prices of these tires; unknown ones are missing. */
export async function selectUnitCents(
  db: Database,
  itemIds: readonly number[],
  pricing: AccountPricing,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .select([
      'item.id',
      'product_line_id as lineId',
      'brand_id as brandId',
      'size.slug as sizeSlug',
      'retail_cents as retailCents',
      'cost_cents as costCents',
    ])
    .where('item.id', '=', sql<number>`any (${[...itemIds]}::int[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, priceFor(row, pricing).unitCents]))
}

/** An open cart opens with its key; one that belongs to an account, for that account only. */
export function opensFor(accountId: string | null) {
  return sql<boolean>`cart.state = 'open' and (cart.account_id is null or cart.account_id = ${accountId}::uuid)`
}

/** Counts the tires in an open cart the account may open. */
export async function selectTireCount(db: Database, id: string, accountId: string | null): Promise<number> {
  const { count } = await db
    .selectFrom('cart_line')
    .innerJoin('cart', 'cart.id', 'cart_line.cart_id')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('cart_line.quantity'), eb.lit(0)).as('count'))
    .where('cart.id', '=', id)
    .where(opensFor(accountId))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Adds lines to an open cart, creating it if it is new, in one query. An existing item's quantity grows up to the limit
 * per line. `seen` holds the prices the shopper saw where they are not the retail prices. Adds all lines or no lines.
 * Returns false without writing if an item doesn't exist or is discontinued, or if the cart doesn't exist, is ordered,
 * books a service or belongs to another account.
 */
export async function insertLines(
  db: Database,
  cart: {
    id: string
    isNew: boolean
    zip: string | null
    vehicle: unknown
    dealerShopId: number | null
    isCheck: boolean
  },
  lines: readonly NewLine[],
  {
    accountId,
    seen,
    catalog,
    limit,
    now,
  }: {
    accountId: string | null
    seen: ReadonlyMap<number, number>
    catalog: SoldItems
    limit: number
    now: Temporal.Instant
  },
): Promise<boolean> {
  const at = now.toString()
  const result = await sql`
    with wanted as (
      select item.id as item_id, coalesce(wanted.seen_unit_cents, item.retail_cents) as seen_unit_cents, wanted.axle, wanted.quantity
      from json_to_recordset(${JSON.stringify(lines.map(({ itemId, axle, quantity }) => ({ item_id: itemId, axle, quantity, seen_unit_cents: seen.get(itemId) })))}::json) as wanted (item_id int, axle text, quantity int, seen_unit_cents int)
      join item on item.id = wanted.item_id and item.active ${catalog.andSold('item.product_line_id')}),
    -- One row if all are sold, none otherwise.
    complete as (select from wanted having count(*) = ${lines.length}::int),
    kept as (
      insert into cart (id, is_check, dealer_shop_id, fulfillment, shop_id, zip, vehicle, created_at, updated_at)
      select ${cart.id}::uuid, ${cart.isCheck}::boolean, ${cart.dealerShopId}::int, ${cart.dealerShopId === null ? null : 'shop'}, ${cart.dealerShopId}::int, (select zip from zip where zip = ${cart.zip}), ${cart.vehicle === null ? null : JSON.stringify(cart.vehicle)}::jsonb, ${at}::timestamptz, ${at}::timestamptz
      from complete
      where ${cart.isNew}::boolean or exists (select from cart where id = ${cart.id}::uuid) and not exists (select from cart_service where cart_id = ${cart.id}::uuid)
      on conflict (id) do update set version = cart.version + 1, updated_at = excluded.updated_at,
        zip = coalesce(cart.zip, excluded.zip), vehicle = coalesce(excluded.vehicle, cart.vehicle)
      where ${opensFor(accountId)}
      returning id)
    insert into cart_line (cart_id, item_id, axle, quantity, seen_unit_cents, added_at)
    select kept.id, wanted.item_id, wanted.axle, wanted.quantity, wanted.seen_unit_cents, ${at}::timestamptz
    from wanted cross join kept
    on conflict (cart_id, item_id, axle) do update set
      -- A second click of the same button within seconds counts once.
      quantity = case when cart_line.added_at > excluded.added_at - interval '5 seconds' and cart_line.quantity = excluded.quantity then cart_line.quantity
        else least(cart_line.quantity + excluded.quantity, ${limit}::int) end,
      added_at = excluded.added_at, seen_unit_cents = excluded.seen_unit_cents`.execute(db)
  return (result.numAffectedRows ?? 0n) > 0n
}

/** Sets the quantity of one line; 0 removes it. Returns whether the line existed. */
export async function updateQuantity(
  db: Database,
  { id: cartId, accountId }: { id: string; accountId: string | null },
  line: NewLine,
  now: Temporal.Instant,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const open = await touch(tx, cartId, now, opensFor(accountId))
    if (!open) return false
    if (line.quantity === 0) {
      const gone = await tx
        .deleteFrom('cart_line')
        .where('cart_id', '=', cartId)
        .where('item_id', '=', line.itemId)
        .where('axle', '=', line.axle)
        .executeTakeFirst()
      return gone.numDeletedRows > 0n
    }
    const changed = await tx
      .updateTable('cart_line')
      .set({ quantity: line.quantity })
      .where('cart_id', '=', cartId)
      .where('item_id', '=', line.itemId)
      .where('axle', '=', line.axle)
      .executeTakeFirst()
    return changed.numUpdatedRows > 0n
  })
}

/** Records the prices of an open cart as seen. */
export async function updateSeenPrices(
  db: Database,
  cart: Pick<Cart, 'id' | 'lines'>,
  now: Temporal.Instant,
): Promise<void> {
  const seen = cart.lines.map(({ itemId, unitCents }) => ({ item_id: itemId, unit_cents: unitCents }))
  await inTransaction(db, async (tx) => {
    if (!(await touch(tx, cart.id, now))) return
    await sql`
      update cart_line set seen_unit_cents = seen.unit_cents
      from json_to_recordset(${JSON.stringify(seen)}::json) as seen (item_id int, unit_cents int)
      where cart_line.cart_id = ${cart.id}::uuid and cart_line.item_id = seen.item_id`.execute(tx)
  })
}

/** Sets an open cart's ZIP code or vehicle; omitted ones are unchanged. Returns false if the cart doesn't exist. */
export async function updateAbout(
  db: Database,
  cartId: string,
  about: { zip?: string; vehicle?: unknown },
  now: Temporal.Instant,
): Promise<boolean> {
  const changed = await db
    .updateTable('cart')
    .set((eb) => ({
      version: eb('version', '+', 1),
      updated_at: now,
      ...(about.zip !== undefined && { zip: about.zip }),
      ...('vehicle' in about && { vehicle: about.vehicle === null ? null : JSON.stringify(about.vehicle) }),
    }))
    .where('id', '=', cartId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Records whether an open cart of the account `accountId` pays with store credit; others are unchanged. */
export async function updateUsesCredit(
  db: Database,
  cart: { id: string; accountId: string; usesCredit: boolean },
  now: Temporal.Instant,
): Promise<void> {
  await db
    .updateTable('cart')
    .set((eb) => ({ uses_credit: cart.usesCredit, version: eb('version', '+', 1), updated_at: now }))
    .where('id', '=', cart.id)
    .where('account_id', '=', cart.accountId)
    .where('state', '=', 'open')
    .execute()
}

/** Records the payment method of an open cart; counts as a change only if it differs. */
export async function updatePaymentMethod(
  db: Database,
  cartId: string,
  paymentMethod: CartPaymentMethod,
  now: Temporal.Instant,
): Promise<void> {
  await db
    .updateTable('cart')
    .set((eb) => ({ payment_method: paymentMethod, version: eb('version', '+', 1), updated_at: now }))
    .where('id', '=', cartId)
    .where('state', '=', 'open')
    .where('payment_method', '<>', paymentMethod)
    .execute()
}

/** Raises the version of an open cart. Returns false if it does not exist, is ordered, or does not match `which`. */
export async function touch(
  db: Database,
  cartId: string,
  now: Temporal.Instant,
  which = sql<boolean>`cart.state = 'open'`,
): Promise<boolean> {
  const touched = await db
    .updateTable('cart')
    .set((eb) => ({ version: eb('version', '+', 1), updated_at: now }))
    .where('id', '=', cartId)
    .where(which)
    .executeTakeFirst()
  return touched.numUpdatedRows > 0n
}
