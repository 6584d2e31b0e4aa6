/** Queries for transfers, reversals, and payout provider accounts. */
import { sql } from 'kysely'
import type { AccountView, BankPayoutView } from './payout-provider.port.ts'
import type { Database, Tx } from '#platform/db.ts'

export type Account = AccountView & { shopId: number }

const accountColumns = sql`shop_id as "shopId", ref, state, bank_last4 as "bankLast4"`

export async function selectAccount(
  db: Database,
  by: { shopId: number } | { ref: string },
): Promise<Account | undefined> {
  const of = 'ref' in by ? sql`ref = ${by.ref}` : sql`shop_id = ${by.shopId}::int`
  return (await sql<Account>`select ${accountColumns} from payout_account where ${of}`.execute(db)).rows[0]
}

export async function selectAccounts(db: Database, shopIds: readonly number[]): Promise<Map<number, Account>> {
  const result = await sql<Account>`
    select ${accountColumns} from payout_account where shop_id = any(${[...shopIds]}::int[])`.execute(db)
  return new Map(result.rows.map((row) => [row.shopId, row]))
}

/** Stores a shop's new account; an existing one is unchanged. */
export async function insertAccount(
  db: Database,
  { shopId, ref, at }: { shopId: number; ref: string; at: Temporal.Instant },
) {
  await sql`
    insert into payout_account (shop_id, ref, state, made_at, read_at) values (${shopId}, ${ref}, 'started', ${at}, ${at})
    on conflict do nothing`.execute(db)
}

/** Stores the provider's status as of `askedAt`, unless a later one is stored. */
export async function updateAccount(
  db: Database,
  { ref, state, bankLast4 }: AccountView,
  askedAt: Temporal.Instant,
): Promise<void> {
  await sql`
    update payout_account set state = ${state}, bank_last4 = ${bankLast4}, read_at = ${askedAt},
      ready_at = coalesce(ready_at, case when ${state} = 'ready' then ${askedAt}::timestamptz end)
    where ref = ${ref} and read_at <= ${askedAt}`.execute(db)
}

/** `refusals`: how often the provider refused since it took a transfer last; `refusedAt`: the last time. */
export type ShopDue = {
  shopId: number
  isReady: boolean
  accountReadAt: Temporal.Instant | null
  refusals: number
  refusedAt: Temporal.Instant | null
}

/** The shops that something is due to and that no transfer is on its way to, with their account. */
export async function selectShopsDue(db: Database, now: Temporal.Instant): Promise<ShopDue[]> {
  const result = await sql<ShopDue>`
    select due.shop_id as "shopId", coalesce(account.state = 'ready', false) as "isReady", account.read_at as "accountReadAt",
      refused.times as refusals, refused.last as "refusedAt"
    from (select distinct shop_id from (${dueItems(now, sql`true`)}) item) due
    left join payout_account account on account.shop_id = due.shop_id
    cross join lateral (
      select count(*)::int as times, max(coalesce(t.asked_at, t.intended_at)) as last from pay_transfer t
      where t.shop_id = due.shop_id and t.state = 'refused' and t.intended_at > coalesce(
        (select max(sent.intended_at) from pay_transfer sent where sent.shop_id = due.shop_id and sent.state = 'sent'), '-infinity')
    ) refused
    where not exists (select from pay_transfer t where t.shop_id = due.shop_id and t.state = 'intended')
    order by due.shop_id`.execute(db)
  return result.rows
}

/** All due amounts that aren't in a transfer (jobs after their hold period, approved adjustments, and reversals). */
function dueItems(now: Temporal.Instant, of: ReturnType<typeof sql>) {
  return sql`
    select shop_id, id as job_pay_id, null::uuid as adjustment_id, null::uuid as reversal_id, amount_cents from job_pay
      where due_at <= ${now}::timestamptz and not exists (select from pay_transfer_item i where i.job_pay_id = job_pay.id) and ${of}
    union all select shop_id, null, id, null, amount_cents from pay_adjustment
      where state = 'approved' and not exists (select from pay_transfer_item i where i.adjustment_id = pay_adjustment.id) and ${of}
    union all select shop_id, null, null, id, amount_cents from pay_reversal
      where not exists (select from pay_transfer_item i where i.reversal_id = pay_reversal.id) and ${of}`
}

export type DueItem = {
  jobPayId: string | null
  adjustmentId: string | null
  reversalId: string | null
  amountCents: number
}

export async function selectDueItems(tx: Tx, shopId: number, now: Temporal.Instant): Promise<DueItem[]> {
  const result = await sql<DueItem>`
    select job_pay_id as "jobPayId", adjustment_id as "adjustmentId", reversal_id as "reversalId", amount_cents as "amountCents"
    from (${dueItems(now, sql`shop_id = ${shopId}::int`)}) item`.execute(tx)
  return result.rows
}

/** The ready account of a shop, locked so that its transfers are made one after another. */
export async function lockReadyAccount(tx: Tx, shopId: number): Promise<string | undefined> {
  const result = await sql<{ ref: string }>`
    select ref from payout_account where shop_id = ${shopId}::int and state = 'ready' for update`.execute(tx)
  return result.rows[0]?.ref
}

export async function hasIntended(tx: Tx, shopId: number): Promise<boolean> {
  const result = await sql`select from pay_transfer where shop_id = ${shopId}::int and state = 'intended'`.execute(tx)
  return result.rows.length > 0
}

export type Transfer = {
  id: string
  shopId: number
  accountRef: string
  amountCents: number
  state: 'intended' | 'sent' | 'refused'
  ref: string | null
  intendedAt: Temporal.Instant
  /** What the provider said when it refused. */
  refusal: string | null
}

const transferColumns = sql`id, shop_id as "shopId", account_ref as "accountRef", amount_cents as "amountCents", state, ref, intended_at as "intendedAt", refusal`

/** Writes that money will be sent, with what it pays. */
export async function insertTransfer(
  tx: Tx,
  transfer: Pick<Transfer, 'id' | 'shopId' | 'accountRef' | 'amountCents'> & { at: Temporal.Instant },
  items: readonly DueItem[],
): Promise<void> {
  const { id, shopId, accountRef, amountCents, at } = transfer
  await sql`
    insert into pay_transfer (id, shop_id, account_ref, amount_cents, state, intended_at)
    values (${id}, ${shopId}, ${accountRef}, ${amountCents}, 'intended', ${at})`.execute(tx)
  await sql`
    insert into pay_transfer_item (transfer_id, shop_id, job_pay_id, adjustment_id, reversal_id, amount_cents)
    select ${id}::uuid, ${shopId}::int, "jobPayId", "adjustmentId", "reversalId", "amountCents"
    from json_to_recordset(${JSON.stringify(items)}::json) as item ("jobPayId" uuid, "adjustmentId" uuid, "reversalId" uuid, "amountCents" int)`.execute(
    tx,
  )
}

export async function selectIntended(db: Database): Promise<Transfer[]> {
  const result = await sql<Transfer>`
    select ${transferColumns} from pay_transfer where state = 'intended' order by intended_at limit 500`.execute(db)
  return result.rows
}

/** Claims an intended transfer for a provider call; false if another process claimed it since `before`. */
export async function claimTransfer(
  db: Database,
  { id, at, before }: { id: string; at: Temporal.Instant; before: Temporal.Instant },
): Promise<boolean> {
  const result = await sql`
    update pay_transfer set asked_at = ${at}::timestamptz
    where id = ${id}::uuid and state = 'intended' and (asked_at is null or asked_at < ${before}::timestamptz) returning id`.execute(
    db,
  )
  return result.rows.length > 0
}

/** The transfer of our id, locked until the act is over. */
export async function lockTransfer(tx: Tx, id: string): Promise<Transfer | undefined> {
  const result =
    await sql<Transfer>`select ${transferColumns} from pay_transfer where id = ${id}::uuid for update`.execute(tx)
  return result.rows[0]
}

export async function selectTransfers(db: Database, shopId: number, limit = 50): Promise<Transfer[]> {
  const result = await sql<Transfer>`
    select ${transferColumns} from pay_transfer where shop_id = ${shopId}::int order by intended_at desc, id desc limit ${limit}`.execute(
    db,
  )
  return result.rows
}

/** Selects shops with a refused last transfer, longest pending first. */
export async function selectRefusedTransfers(
  db: Database,
  limit: number,
): Promise<{ shopId: number; amountCents: number; at: Temporal.Instant }[]> {
  const result = await sql<{ shopId: number; amountCents: number; at: Temporal.Instant }>`
    select refused.shop_id as "shopId", refused.amount_cents as "amountCents", refused.intended_at as at from pay_transfer refused
    where refused.state = 'refused' and not exists (
      select from pay_transfer later where later.shop_id = refused.shop_id and later.intended_at > refused.intended_at)
    order by refused.intended_at, refused.shop_id limit ${limit}`.execute(db)
  return result.rows
}

export async function updateToSent(db: Database, { id, ref, at }: { id: string; ref: string; at: Temporal.Instant }) {
  await sql`
    update pay_transfer set state = 'sent', ref = ${ref}, sent_at = ${at} where id = ${id}::uuid and state = 'intended'`.execute(
    db,
  )
}

/** Marks the transfer as refused by the provider; its items are due again. */
export async function updateToRefused(tx: Tx, { id, refusal }: { id: string; refusal: string }): Promise<void> {
  await sql`update pay_transfer set state = 'refused', refusal = ${refusal.slice(0, 500)} where id = ${id}::uuid and state = 'intended'`.execute(
    tx,
  )
  await sql`delete from pay_transfer_item where transfer_id = ${id}::uuid`.execute(tx)
}

/** Adds what came back of a transfer since the last time, given all that came back so far. */
export async function insertReversal(
  tx: Tx,
  { id, transfer, totalCents, at }: { id: string; transfer: Transfer; totalCents: number; at: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into pay_reversal (id, shop_id, transfer_id, amount_cents, total_cents, at)
    select ${id}::uuid, ${transfer.shopId}::int, ${transfer.id}::uuid, ${totalCents}::int - known, ${totalCents}::int, ${at}::timestamptz
    from (select coalesce(max(total_cents), 0)::int as known from pay_reversal where transfer_id = ${transfer.id}::uuid) before
    where ${totalCents}::int > known`.execute(tx)
}

/** Writes what the provider paid to the bank; one that failed stays failed. */
export async function upsertBankPayout(
  db: Database,
  shopId: number,
  payout: Omit<BankPayoutView, 'state'> & { state: 'paid' | 'failed' },
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into bank_payout (ref, shop_id, amount_cents, state, arrives_on, at)
    values (${payout.ref}, ${shopId}, ${payout.amountCents}, ${payout.state}, ${payout.arrivesOn}::date, ${at})
    on conflict (ref) do update set state = excluded.state, at = excluded.at
    where bank_payout.state = 'paid' and excluded.state = 'failed'`.execute(db)
}

export type BankPayout = { ref: string; amountCents: number; state: 'paid' | 'failed'; arrivesOn: string }

export async function selectBankPayouts(db: Database, shopId: number, limit = 5): Promise<BankPayout[]> {
  const result = await sql<BankPayout>`
    select ref, amount_cents as "amountCents", state, arrives_on::text as "arrivesOn" from bank_payout
    where shop_id = ${shopId}::int order by arrives_on desc, ref limit ${limit}`.execute(db)
  return result.rows
}

/** Records that a shop's owners are notified of a pending payout; false if they already were. */
export async function insertWait(tx: Tx, shopId: number, at: Temporal.Instant): Promise<boolean> {
  const result = await sql`
    insert into payout_wait (shop_id, told_at) values (${shopId}, ${at}) on conflict do nothing returning shop_id`.execute(
    tx,
  )
  return result.rows.length > 0
}

/** Returns when a shop's next job is due, and the amount due by then, including non-job items. */
export async function selectNextDue(
  db: Database,
  shopId: number,
): Promise<{ dueAt: Temporal.Instant; jobs: number; cents: number } | undefined> {
  const result = await sql<{ dueAt: Temporal.Instant | null; jobs: number; cents: number }>`
    select min(due_at) as "dueAt", count(*)::int as jobs, coalesce(sum(amount_cents), 0)::int as cents from job_pay
    where shop_id = ${shopId}::int and not exists (select from pay_transfer_item i where i.job_pay_id = job_pay.id)`.execute(
    db,
  )
  const [row] = result.rows
  return row?.dueAt ? { dueAt: row.dueAt, jobs: row.jobs, cents: row.cents } : undefined
}

/**
 * Counts jobs with a payout due since `since` by whether they were paid on time or late, and the same since `lately`.
 * On time means within `withinHours` of the job, or of when the shop's account first became ready, if later. `late`
 * counts unpaid jobs. Unpaid jobs are excluded if their shop has no ready account, or their payout is recovered
 * elsewhere.
 */
export async function readPayInTime(
  db: Database,
  {
    since,
    lately,
    now,
    withinHours,
  }: { since: Temporal.Instant; lately: Temporal.Instant; now: Temporal.Instant; withinHours: number },
): Promise<{ good: number; bad: number; lastGood: number; lastBad: number; late: number }> {
  const { rows } = await sql<{ good: number; bad: number; lastGood: number; lastBad: number; late: number }>`
    select count(*) filter (where ended <= until)::int as good, count(*) filter (where ended > until)::int as bad,
      count(*) filter (where ended <= until and until >= ${lately}::timestamptz)::int as "lastGood",
      count(*) filter (where ended > until and until >= ${lately}::timestamptz)::int as "lastBad",
      count(*) filter (where ended > until and sent_at is null)::int as late
    from (
      select sent.sent_at, coalesce(sent.sent_at, ${now}::timestamptz) as ended, times.until
      from job_pay pay
      join payout_account account on account.shop_id = pay.shop_id and account.state = 'ready'
      cross join lateral (
        select greatest(pay.due_at,
          greatest(pay.at, coalesce(account.ready_at, account.made_at)) + make_interval(hours => ${withinHours}::int)) as until
      ) times
      left join lateral (
        select min(t.sent_at) as sent_at from pay_transfer_item i join pay_transfer t on t.id = i.transfer_id
        where i.job_pay_id = pay.id and t.state = 'sent') sent on true
      where pay.amount_cents > 0 and times.until between ${since}::timestamptz and ${now}::timestamptz
    ) due`.execute(db)
  return rows[0] ?? { good: 0, bad: 0, lastGood: 0, lastBad: 0, late: 0 }
}
