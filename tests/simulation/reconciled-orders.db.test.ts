/**
 * Orders paid in every way that the store has, charged, canceled, refunded and disputed, day after day, and reconciled
 * with each provider's own books to the cent. Forty orders; a thousand in `npm run test:long` (`RECONCILED`).
 */
import { env } from 'node:process'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { listOpenDisputes, submitEvidence } from '#domain/aftercare/disputes/disputes.server.ts'
import type { Movement, MovementRecords, PaymentRecords } from '#domain/payments/payments/provider-records.port.ts'
import {
  findDay,
  listDays,
  reconcileDays,
  type ReconciledDay,
} from '#domain/aftercare/reconciliation/reconciliation.server.ts'
import { startReceiver } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { by, hear, liveOrder, openPaidStore, ways, type Fate, type PaidStore } from './paid-orders.ts'

const orders = Number(env.RECONCILED ?? 40)
const [port = 0] = await freePorts(3)
const toldAt = `http://127.0.0.1:${port + 2}`
const providers = ['stripe', 'paypal', 'lender', 'resolve'] as const

/** The outcome of every n-th order. Coprime with the number of payment methods, so that all combinations occur. */
const fates: readonly Fate[] = ['kept', 'refunded in part', 'canceled', 'refunded whole', 'kept']

const dayOf = ({ clock }: PaidStore) => clock.now().toZonedDateTimeISO('UTC').toPlainDate()

async function daysOf(store: PaidStore): Promise<ReconciledDay[]> {
  const days: ReconciledDay[] = []
  for (let before: Temporal.PlainDate | null = null; ;) {
    const page: Awaited<ReturnType<typeof listDays>> = await listDays(store, before)
    days.push(...page.days)
    if (page.next === null) return days
    before = page.next
  }
}

async function differencesOf(store: PaidStore, days: readonly ReconciledDay[]) {
  const found = await Promise.all(days.map(async (day) => ({ ...day, ...(await findDay(store, day)) })))
  return found.flatMap(({ provider, differences = [] }) => differences.map((one) => ({ provider, ...one })))
}

/** What each provider moved in all, or companies paid, what the ledger has as cash, and what orders come to. */
async function totalsOf({ db }: PaidStore) {
  const { rows } = await sql<{ provider: string; moved: number; cash: number; orders: number }>`
    with paid as (select distinct order_id, provider from payment where order_id is not null and provider_ref not like 'pi\\_sample\\_%')
    select provider,
      (select sum(amount_cents) - coalesce(sum(fee_cents) filter (where kind = 'dispute'), 0) from provider_movement movement
        where movement.provider = paid.provider and kind not in ('payout', 'transfer', 'hold'))::int as moved,
      sum((select coalesce(sum(amount_cents), 0) from ledger_entry entry where entry.order_id = paid.order_id and account = 'cash'))::int as cash,
      sum((select sum(captured_cents - refunded_cents) from payment where order_id = paid.order_id)
        - (select coalesce(sum(withdrawn_cents - reinstated_cents + fee_cents), 0) from dispute where dispute.order_id = paid.order_id))::int as orders
    from paid group by provider
    union all
    select 'the store''s own terms', sum(paid_cents)::int, sum((select coalesce(sum(amount_cents), 0) from ledger_entry entry
      where entry.order_id = invoice.order_id and account = 'cash'))::int, sum(paid_cents)::int from invoice
    order by provider`.execute(db)
  return rows
}

test(
  `${orders} orders are reconciled with every provider to the cent`,
  { timeout: 120_000 + orders * 3_000 },
  async () => {
    await using receiver = await startReceiver(port + 2)
    await using store = await openPaidStore(port, toldAt)
    // From the day the demo's orders were captured, because their sample charges aren't differences.
    const first = dayOf(store)
    for (let nth = 0; nth < orders; nth += 1) {
      const [way, fate] = [ways[nth % ways.length], fates[nth % fates.length]]
      if (!way || !fate) throw new Error('There is no way to pay.')
      await liveOrder(store, { nth, way, fate }).catch((cause: unknown) => {
        throw new Error(`Order ${nth}, by ${way.name}, ${fate}.`, { cause })
      })
      await hear(store, receiver.received)
      // Some days have no order, and some orders come around midnight.
      store.clock.set(store.clock.now().add({ minutes: (nth * 47) % 190 }))
    }
    for (const [index, { id }] of (await listOpenDisputes(store, 1_000)).entries())
      if (index % 2 === 0)
        must(await submitEvidence(store, { id, by, notes: index % 4 === 0 ? 'losing_evidence' : 'winning_evidence' }))
    await hear(store, receiver.received)

    const last = dayOf(store)
    store.clock.set(store.clock.now().add({ hours: 30 }))
    await hear(store, receiver.received)
    const span = { from: first, to: dayOf(store) }
    for (const provider of providers) await reconcileDays(store, { provider, ...span })

    const listed = await daysOf(store)
    expect(await differencesOf(store, listed)).toEqual([])
    expect(listed.map(({ state }) => state)).toEqual(listed.map(() => 'balanced'))
    for (const provider of providers) {
      const days = listed.filter((day) => day.provider === provider)
      expect(days.length).toBeGreaterThanOrEqual(first.until(last).days + 1)
      for (const sum of ['chargedCents', 'refundedCents'] as const)
        expect(days.reduce((total, day) => total + day[sum], 0)).toBeGreaterThan(0)
    }
    const totals = await totalsOf(store)
    console.info(`${orders} orders: ${JSON.stringify(totals)}`)
    expect(totals).toEqual(
      [...providers, "the store's own terms"].toSorted().map((provider) => {
        const { cash = 0 } = totals.find((one) => one.provider === provider) ?? {}
        return { provider, moved: cash, cash, orders: cash }
      }),
    )

    // Reconciling days again has no effect.
    const before = JSON.stringify(listed)
    for (const provider of providers) await reconcileDays(store, { provider, ...span })
    expect(JSON.stringify(await daysOf(store))).toBe(before)
    const broken = (await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')
    expect(broken).toEqual([])
  },
)

/** A provider's records with one order overcharged by a cent, one missing, and one unknown. */
function planted(records: Required<PaymentRecords>[keyof PaymentRecords]): MovementRecords {
  return {
    async listMovements(asked) {
      const listed = await records.listMovements?.(asked)
      if (!listed?.ok) throw new Error('The provider lists nothing.')
      const { movements, ...page } = listed.value
      const charges = movements.filter(({ kind }) => kind === 'charge')
      const [dear, lost] = charges
      if (!dear || !lost) return listed
      const extra: Movement = { ...dear, ref: 'extra', amountCents: 5_000, chargeRef: null }
      delete extra.reference
      const others = movements.filter((one) => one !== dear && one !== lost)
      return {
        ok: true,
        value: { ...page, movements: [{ ...dear, amountCents: dear.amountCents + 1 }, ...others, extra] },
      }
    },
  }
}

test('a cent too much, a charge that is missing and one too many are found at every provider', async () => {
  await using store = await openPaidStore(port, toldAt)
  const from = dayOf(store)
  for (const [nth, name] of ['card', 'paypal', 'loan', 'resolve', 'klarna', 'venmo', 'lease', 'resolve'].entries()) {
    const way = ways.find((one) => one.name === name)
    if (!way) throw new Error(`There is no ${name}.`)
    await liveOrder(store, { nth, way, fate: 'kept' })
  }
  store.clock.set(store.clock.now().add({ hours: 30 }))
  const paymentRecords = {
    ...store.paymentRecords,
    stripe: { ...store.paymentRecords.stripe, ...planted(store.paymentRecords.stripe) },
    paypal: { ...store.paymentRecords.paypal, ...planted(store.paymentRecords.paypal) },
    lender: planted(store.paymentRecords.lender),
    resolve: planted(store.paymentRecords.resolve),
  }
  for (const provider of providers)
    await reconcileDays({ ...store, paymentRecords }, { provider, from, to: dayOf(store) })
  const found = await differencesOf(store, await daysOf(store))
  for (const provider of providers) {
    const ofProvider = found.filter((one) => one.provider === provider)
    expect(ofProvider.map(({ kind }) => kind).toSorted()).toEqual([
      'amount-differs',
      'charge-without-order',
      'order-without-charge',
    ])
    const [dear, extra, lost] = ofProvider.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
    expect(dear?.providerCents).toBe((dear?.storeCents ?? 0) + 1)
    expect(extra).toMatchObject({ ref: 'extra', providerCents: 5_000, storeCents: 0, orderId: null })
    expect(lost).toMatchObject({ providerCents: 0, orderId: expect.any(Number) as number })
  }
})
