/**
 * Locks everything outside the cart that its price depends on: the buyer's price tier, company, price list, quote,
 * items, promotions, coupon, verification, payment method, shop, sales tax rates, and the tax provider's response. An
 * order commits only if all of it is unchanged since the order was priced.
 */
import { sql, type RawBuilder } from 'kysely'
import { partIdsOfCart } from '#domain/payments/cart/cart.server.ts'
import { partBasisOf } from '#domain/supply/parts/parts.server.ts'
import { taxBasisOf } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Database, Tx } from '#platform/db.ts'

/** `companyId` identifies a buyer that is a company without an account. */
type Priced = { cartId: string; accountId: string | null; companyId?: string | undefined }

/**
 * Returns the versions of all rows the price of this cart rests on: two results are equal exactly when no row was
 * written in between.
 */
export async function readPriceBasis(db: Database, priced: Priced): Promise<string> {
  const { locked, follows } = rowsOf(priced)
  return namedTogether(await versionsOf(db, [...locked.map((rows) => ({ ...rows, lock: undefined })), ...follows]))
}

/**
 * Returns the same basis with those rows locked until the transaction ends. Takes two queries, because a locked row is
 * read when the lock is granted. Dependent rows may be written while the first query is blocked, and only the second
 * one sees them. Company and account are locked in the order used when a company adds a member, articles by key as an
 * import does.
 */
export async function lockPriceBasis(tx: Tx, priced: Priced): Promise<string> {
  const { locked, follows } = rowsOf(priced)
  return namedTogether((await atOnce(tx, [(own) => versionsOf(own, locked), (own) => versionsOf(own, follows)])).flat())
}

/** Table, key and version of each row. */
async function versionsOf(db: Database, parts: readonly Rows[]): Promise<string[]> {
  // xmin is the transaction that wrote this row version (PostgreSQL, "System Columns"); locking does not change it.
  const selects = parts.map(({ table, key = 'id', which, lock }) => {
    const [name, id] = [sql.lit(table), sql.ref(`${table}.${key}`)]
    const versions = sql`select ${name} || ' ' || ${id} || ' ' || ${sql.table(table)}.xmin as version from ${sql.table(table)} where ${which}`
    return lock
      ? sql`select version from (${versions} order by ${id} ${lock}) as ${sql.ref(`locked_${table}`)}`
      : versions
  })
  const { rows } = await sql<{ version: string }>`${sql.join(selects, sql` union all `)}`.execute(db)
  return rows.map(({ version }) => version)
}

function namedTogether(versions: readonly string[]): string {
  return versions.toSorted().join(', ')
}

type Rows = { table: string; key?: string; which: RawBuilder<unknown>; lock?: RawBuilder<unknown> | undefined }

/**
 * `locked` rows are locked themselves; every writer of `follows` rows first writes or locks their account, company or
 * shop.
 */
function rowsOf({ cartId, accountId, companyId }: Priced): { locked: Rows[]; follows: Rows[] } {
  // Locks an account or company as strongly as credit and invoices do later: upgrading a lock deadlocks with another
  // upgrade.
  const [alone, shared] = [sql`for no key update`, sql`for share`]
  const cart = sql`select from cart where cart.id = ${cartId}::uuid`
  const items = sql`select item_id from cart_line where cart_id = ${cartId}::uuid`
  const ofCart: Rows[] = [
    // Uses the same lock strength as the order that uses up the quote, so a second order blocks here.
    { table: 'sales_quote', which: sql`exists (${cart} and cart.quote_id = sales_quote.id)`, lock: alone },
    { table: 'item', which: sql`item.id in (${items})`, lock: shared },
    { ...partBasisOf(partIdsOfCart(cartId)), lock: shared },
    ...taxBasisOf(cartId).map((rows) => ({ ...rows, lock: shared })),
    { table: 'coupon', which: sql`exists (${cart} and cart.coupon_id = coupon.id)`, lock: shared },
    {
      table: 'pay_later_offer',
      which: sql`exists (${cart} and cart.payment_method = pay_later_offer.method)`,
      lock: shared,
    },
    {
      table: 'promotion',
      which: sql`exists (
        select from item join product_line on product_line.id = item.product_line_id
        where item.id in (${items}) and (promotion.item_id = item.id
          or promotion.item_id is null and (promotion.product_line_id = product_line.id
            or promotion.product_line_id is null and (promotion.brand_id = product_line.brand_id or promotion.brand_id is null))))`,
      lock: shared,
    },
    {
      // Filters match tires by model.
      table: 'product_line',
      which: sql`product_line.id in (select product_line_id from item where item.id in (${items})) and (
        exists (select from promotion where promotion.filter_id is not null)
        or exists (select from coupon where coupon.filter_id is not null and coupon.id = (select coupon_id from cart where cart.id = ${cartId}::uuid)))`,
      lock: shared,
    },
    { table: 'shop', which: sql`exists (${cart} and shop.id in (cart.shop_id, cart.dealer_shop_id))`, lock: shared },
    {
      table: 'branded_store',
      key: 'shop_id',
      which: sql`exists (${cart} and cart.dealer_shop_id = branded_store.shop_id)`,
      lock: shared,
    },
  ]
  const rates: Rows = {
    table: 'shop_rate',
    key: 'job',
    which: sql`exists (${cart} and cart.shop_id = shop_rate.shop_id)`,
  }
  if (companyId !== undefined) return { locked: [...ofCompany(companyId), ...ofCart], follows: [rates] }
  if (accountId === null) return { locked: ofCart, follows: [rates] }
  const company = sql`(select company_id from company_member where account_id = ${accountId}::uuid)`
  return {
    locked: [
      { table: 'company', which: sql`company.id = ${company}`, lock: alone },
      { table: 'account', which: sql`account.id = ${accountId}::uuid`, lock: alone },
      {
        table: 'price_list',
        which: sql`price_list.account_type in (select type from account_grant where account_id = ${accountId}::uuid)
          or price_list.id = (select price_list_id from company where company.id = ${company})`,
        lock: shared,
      },
      {
        table: 'military_verification',
        key: 'account_id',
        which: sql`military_verification.account_id = ${accountId}::uuid`,
        lock: shared,
      },
      { table: 'company_exemption', which: sql`company_exemption.company_id = ${company}`, lock: shared },
      ...ofCart,
    ],
    follows: [
      rates,
      { table: 'account_grant', which: sql`account_grant.account_id = ${accountId}::uuid` },
      { table: 'company_member', key: 'account_id', which: sql`company_member.account_id = ${accountId}::uuid` },
    ],
  }
}

/**
 * Rows that determine a purchasing system's prices for its company. Changes to the company's brands or certificates
 * also write its row.
 */
function ofCompany(id: string): Rows[] {
  const [alone, shared] = [sql`for no key update`, sql`for share`]
  const typed = sql`case company.kind when 'fleet' then 'Fleet' else 'Special Order' end`
  return [
    { table: 'company', which: sql`company.id = ${id}::uuid`, lock: alone },
    {
      table: 'price_list',
      which: sql`exists (select from company where company.id = ${id}::uuid and (price_list.id = company.price_list_id or price_list.account_type = ${typed}))`,
      lock: shared,
    },
    { table: 'company_exemption', which: sql`company_exemption.company_id = ${id}::uuid`, lock: shared },
    {
      table: 'purchasing_system',
      key: 'company_id',
      which: sql`purchasing_system.company_id = ${id}::uuid`,
      lock: shared,
    },
  ]
}
