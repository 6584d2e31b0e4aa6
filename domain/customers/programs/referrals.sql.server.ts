/** The statements for referrals. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { plainAddress } from '#domain/supply/delivery/delivery.ts'
import type { ReferralCase, Signs } from './referral-rules.ts'
import { termAt } from '#domain/kernel/settings/settings.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'

/** The code of an account's link; undefined before first use. */
export async function findLinkCode(db: Database, accountId: string): Promise<string | undefined> {
  const link = await db
    .selectFrom('referral_link')
    .select('code')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return link?.code
}

/** Creates an account's link, if it has no link yet. */
export async function insertReferralLink(
  db: Database,
  link: { accountId: string; code: string; at: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('referral_link')
    .values({ code: link.code, account_id: link.accountId, created_at: link.at })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
}

/** Returns the account and full name for a link's code. Undefined if the link doesn't exist. */
export function selectLinkOwner(
  db: Database,
  code: string,
): Promise<{ accountId: string; name: string | null } | undefined> {
  return db
    .selectFrom('referral_link')
    .innerJoin('account', 'account.id', 'referral_link.account_id')
    .select(['account.id as accountId', 'account.name'])
    .where('code', '=', code)
    .executeTakeFirst()
}

/** Condition that a link exists, for use in another statement. */
export function isLink(code: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select code from referral_link where code = ${code})`
}

/** Serializes the account's invitations until the transaction ends; returns its email, verified or not. */
export async function lockInviter(tx: Tx, accountId: string): Promise<string | null> {
  const owner = await tx
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return owner?.email ?? null
}

/** Counts the friends an account has invited since an instant. */
export async function countInvites(db: Database, accountId: string, since: Temporal.Instant): Promise<number> {
  const { count } = await db
    .selectFrom('referral_invite')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('sent_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Records whom an account invites, and returns those it had not invited before. */
export function insertInvites(
  tx: Tx,
  accountId: string,
  emails: readonly string[],
  at: Temporal.Instant,
): Promise<{ id: string; email: string }[]> {
  return tx
    .insertInto('referral_invite')
    .values(emails.map((email) => ({ id: newId(), account_id: accountId, email: email.toLowerCase(), sent_at: at })))
    .onConflict((conflict) => conflict.columns(['account_id', 'email']).doNothing())
    .returning(['id', 'email'])
    .execute()
}

/** Whom an account has invited, newest first. */
export function selectInvites(db: Database, accountId: string): Promise<{ email: string; sentAt: Temporal.Instant }[]> {
  return db
    .selectFrom('referral_invite')
    .select(['email', 'sent_at as sentAt'])
    .where('account_id', '=', accountId)
    .orderBy('sent_at', 'desc')
    .execute()
}

/** The name of the invitation's sender, and the link's code; undefined if the invitation no longer exists. */
export function selectInviter(
  db: Database,
  inviteId: string,
): Promise<{ name: string | null; code: string | null } | undefined> {
  return db
    .selectFrom('referral_invite')
    .innerJoin('account', 'account.id', 'referral_invite.account_id')
    .leftJoin('referral_link', 'referral_link.account_id', 'account.id')
    .select(['account.name', 'referral_link.code'])
    .where('referral_invite.id', '=', inviteId)
    .executeTakeFirst()
}

type ReferredOrder = {
  rewardCents: number
  email: string
  state: 'pending' | 'earned' | 'canceled'
  /** When the last parcel was delivered; null until then. */
  deliveredAt: Temporal.Instant | null
  /** The return window of the order. */
  returnDays: number
}

/** The friends' orders an account referred, newest first. */
export async function selectReferredOrders(db: Database, referrerId: string): Promise<ReferredOrder[]> {
  const rows = await db
    .selectFrom('referral')
    .innerJoin('customer', 'customer.id', 'referral.friend_id')
    .select((eb) => [
      'referral.order_id',
      'referral.state',
      'customer.email',
      eb
        .selectFrom('shipment')
        .select(({ fn }) => fn.max('delivered_at').as('at'))
        .whereRef('shipment.order_id', '=', 'referral.order_id')
        .as('delivered_at'),
      termAt('return-days', sql`referral.placed_at`).as('return_days'),
      termAt('referrer-reward-cents', sql`referral.placed_at`).as('reward_cents'),
    ])
    .where('referrer_id', '=', referrerId)
    .orderBy('referral.placed_at', 'desc')
    .execute()
  return rows.map((row) => ({
    email: row.email,
    state: row.state as ReferredOrder['state'],
    deliveredAt: row.delivered_at,
    returnDays: row.return_days,
    rewardCents: row.reward_cents,
  }))
}

type Address = { address1: string; address2: string | null; zip: string }
type SignRow = { accountIds: string[]; emails: string[]; phones: string[]; addresses: Address[]; cards: string[] }

/** What identifies the shoppers of orders, as one JSON object. */
const orderSigns = sql`json_build_object(
  'accountIds', coalesce(json_agg(distinct cart.account_id) filter (where cart.account_id is not null), '[]'),
  'emails', coalesce(json_agg(distinct lower(sales_order.email)), '[]'),
  'phones', coalesce(json_agg(distinct sales_order.phone), '[]'),
  'addresses', coalesce(json_agg(distinct jsonb_build_object('address1', sales_order.address1, 'address2', sales_order.address2, 'zip', sales_order.zip)), '[]'),
  'cards', coalesce(json_agg(distinct payment.card_fingerprint) filter (where payment.card_fingerprint is not null), '[]'))`

/**
 * Returns the referral link in a visitor's open cart; undefined if the cart doesn't exist or another account owns it.
 */
export async function selectOpenCart(
  db: Database,
  { cartId, accountId }: { cartId: string; accountId: string | null },
): Promise<{ referral: { code: string; openedAt: Temporal.Instant } | null } | undefined> {
  const row = await db
    .selectFrom('cart')
    .select(['referral_code as code', 'referral_opened_at as openedAt'])
    .where('id', '=', cartId)
    .where('state', '=', 'open')
    .where(({ or, eb }) => or([eb('account_id', 'is', null), eb('account_id', '=', accountId)]))
    .executeTakeFirst()
  if (!row) return undefined
  const { code, openedAt } = row
  return { referral: code !== null && openedAt !== null ? { code, openedAt } : null }
}

/**
 * Reads the referral rules' input for the shopper of `cartId`, or for just the account before there is a cart, and the
 * link `code`; undefined if the link doesn't exist. `orderId` is the order being placed, which does not count as
 * earlier. Two queries.
 */
export async function selectReferralCase(
  db: Database,
  {
    code,
    cartId,
    accountId,
    orderId,
  }: { code: string; cartId: string | null; accountId: string | null; orderId: number | null },
): Promise<(ReferralCase & { referrerId: string }) | undefined> {
  const [friend, referrer] = await Promise.all([
    selectFriend(db, { cartId, accountId, orderId }),
    selectReferrer(db, code),
  ])
  return friend && referrer && { ...friend, ...referrer }
}

async function selectFriend(
  db: Database,
  { cartId, accountId, orderId }: { cartId: string | null; accountId: string | null; orderId: number | null },
): Promise<Pick<ReferralCase, 'friend' | 'hasOrdered'> | undefined> {
  const { rows } = await sql<{ friend: SignRow; hasOrdered: boolean }>`
    with friend as (
      select coalesce(cart.account_id, visitor.account_id) as account_id, array_remove(array[lower(contact.email), account.email], null) as emails, contact.phone, contact.address1, contact.address2, contact.zip,
        array(select card_fingerprint from payment where payment.cart_id = cart.id and payment.state = 'authorized' and card_fingerprint is not null) as cards
      from (select ${cartId}::uuid as cart_id, ${accountId}::uuid as account_id) visitor
      left join cart on cart.id = visitor.cart_id
      left join cart_contact contact on contact.cart_id = cart.id
      left join account on account.id = coalesce(cart.account_id, visitor.account_id)
      where visitor.cart_id is null or cart.id is not null)
    select json_build_object(
        'accountIds', array_remove(array[account_id], null), 'emails', emails, 'phones', array_remove(array[phone], null),
        'addresses', case when address1 is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('address1', address1, 'address2', address2, 'zip', zip)) end,
        'cards', cards) as friend,
      exists (
        select from sales_order join customer on customer.id = sales_order.customer_id
        where sales_order.state <> 'canceled' and sales_order.id is distinct from ${orderId}::bigint
          and mailbox_of(customer.email) = any(array(select mailbox_of(email) from unnest(friend.emails) email)))
      or exists (
        select from sales_order join cart on cart.id = sales_order.cart_id
        where sales_order.state <> 'canceled' and sales_order.id is distinct from ${orderId}::bigint and cart.account_id = friend.account_id) as "hasOrdered"
    from friend`.execute(db)
  const row = rows[0]
  return row && { friend: signsOf(row.friend), hasOrdered: row.hasOrdered }
}

async function selectReferrer(
  db: Database,
  code: string,
): Promise<(Pick<ReferralCase, 'referrer' | 'referredBy' | 'earlierFriends'> & { referrerId: string }) | undefined> {
  const { rows } = await sql<{
    referrerId: string
    email: string | null
    saved: { phone: string; address: Address }[]
    ordered: SignRow
    referredBy: { accountId: string; email: string | null }[]
    earlier: SignRow[]
  }>`
    with recursive owner as (
      select account.id, account.email from referral_link join account on account.id = referral_link.account_id where referral_link.code = ${code}),
    -- Upward: each friend has at most one referrer, so this is a chain; "union" ends it if it closes.
    above as (
      select id, email from owner
      union
      select referrer.id, referrer.email
      from above
      join referral on referral.state <> 'canceled'
      join sales_order on sales_order.id = referral.order_id
      join cart on cart.id = sales_order.cart_id
      join customer on customer.id = referral.friend_id
      join account referrer on referrer.id = referral.referrer_id
      where cart.account_id = above.id or mailbox_of(customer.email) = mailbox_of(above.email))
    select owner.id as "referrerId", owner.email,
      coalesce((select json_agg(json_build_object('phone', phone, 'address', json_build_object('address1', address1, 'address2', address2, 'zip', zip)))
        from account_address where account_id = owner.id), '[]') as saved,
      (select ${orderSigns} from sales_order join cart on cart.id = sales_order.cart_id left join payment on payment.order_id = sales_order.id
        where sales_order.id in (
          select sales_order.id from cart join sales_order on sales_order.cart_id = cart.id where cart.account_id = owner.id
          union select sales_order.id from customer join sales_order on sales_order.customer_id = customer.id where mailbox_of(customer.email) = mailbox_of(owner.email))) as ordered,
      (select coalesce(json_agg(json_build_object('accountId', above.id, 'email', above.email)), '[]') from above where above.id <> owner.id) as "referredBy",
      coalesce((select json_agg(signs) from (
        select ${orderSigns} as signs
        from referral join sales_order on sales_order.id = referral.order_id join cart on cart.id = sales_order.cart_id left join payment on payment.order_id = sales_order.id
        where referral.referrer_id = owner.id and referral.state <> 'canceled' group by sales_order.id) friends), '[]') as earlier
    from owner`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  const ordered = signsOf(row.ordered)
  return {
    referrerId: row.referrerId,
    referrer: {
      accountIds: [row.referrerId],
      emails: [...ordered.emails, ...(row.email === null ? [] : [row.email])],
      phones: [...ordered.phones, ...row.saved.map(({ phone }) => phone)],
      addresses: [...ordered.addresses, ...row.saved.map(({ address }) => plainAddress(address))],
      cards: ordered.cards,
    },
    referredBy: row.referredBy.map(({ accountId, email }) => ({
      accountIds: [accountId],
      emails: email === null ? [] : [email],
    })),
    earlierFriends: row.earlier.map(signsOf),
  }
}

function signsOf(row: SignRow): Signs {
  return { ...row, addresses: row.addresses.map(plainAddress) }
}

/** Serializes referral assignments until the transaction ends, so that two can't form an undetected ring. */
export async function lockReferrals(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('referral'))`.execute(tx)
}

/** Assigns a placed order to its referrer. False if the friend was referred before. */
export async function insertReferral(
  tx: Tx,
  referral: { orderId: number; referrerId: string; ratePpm: number; at: Temporal.Instant },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into referral (order_id, referrer_id, friend_id, rate_ppm, placed_at)
    select sales_order.id, ${referral.referrerId}::uuid, sales_order.customer_id, ${referral.ratePpm}::int, ${referral.at}::timestamptz
    from sales_order where sales_order.id = ${referral.orderId}::bigint
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** Selects referrals with a due reward, where the order's return window is over at `now` and it was not canceled. */
export async function selectDue(db: Database, now: Temporal.Instant): Promise<number[]> {
  const { rows } = await sql<{ orderId: number }>`
    select referral.order_id as "orderId" from referral join sales_order on sales_order.id = referral.order_id
    where referral.state = 'pending' and sales_order.state = 'confirmed'
      and (select bool_and(state in ('delivered', 'returned')) and bool_or(state = 'delivered') and max(delivered_at) <= ${now.toString()}::timestamptz - ${termAt('return-days', sql`sales_order.placed_at`)} * 24 * interval '1 hour'
        from shipment where shipment.order_id = referral.order_id)
    order by referral.placed_at limit 500`.execute(db)
  return rows.map(({ orderId }) => orderId)
}

/**
 * Settles a referral, once; returns who is paid, or undefined if it was settled before. Without a referrer it is
 * canceled.
 */
export async function settleReferral(
  tx: Tx,
  orderId: number,
  state: 'earned' | 'canceled',
  at: Temporal.Instant,
): Promise<Settled | undefined> {
  const { rows } = await sql<Settled>`
    with settled as (
      update referral set state = case when referrer_id is null then 'canceled' else ${state} end, settled_at = ${at}::timestamptz where order_id = ${orderId}::bigint and state = 'pending'
        and (${state} = 'canceled' or exists (select from sales_order where sales_order.id = referral.order_id and sales_order.state = 'confirmed'))
      returning referrer_id, ${termAt('referrer-reward-cents', sql`placed_at`)} as reward)
    select settled.referrer_id as "referrerId", account.email, reward as "rewardCents" from settled left join account on account.id = settled.referrer_id and account.email_verified_at is not null`.execute(
    tx,
  )
  return rows[0]
}

/** `rewardCents` is from the terms when the friend ordered. */
type Settled = { referrerId: string | null; email: string | null; rewardCents: number }

/** The reward of a referred order in cents, by the terms when it was placed. */
export async function selectReward(db: Database, orderId: number): Promise<number> {
  const { reward } = await db
    .selectFrom('referral')
    .select(termAt('referrer-reward-cents', sql`referral.placed_at`).as('reward'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return reward
}
