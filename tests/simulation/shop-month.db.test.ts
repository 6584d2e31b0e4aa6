/** Five shops for a week; fifty for thirty days in `npm run test:long`. The books must be right at the end. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readPayOverview, readStatement } from '#domain/installer-portal/payouts/payouts.server.ts'
import { storeDay } from '#platform/store-zone.ts'
import { openScenario } from '../faults/scenario.ts'
import { expectReportCells } from './report-cells.ts'
import { liveDays } from './shop-month.ts'

const [shops = 5, days = 7] = (process.env.SIMULATED ?? '5x7').split('x').map(Number)

test(
  `${shops} shops live ${days} days: every statement, timer and bay is as it must be`,
  { timeout: 120_000 + shops * days * 4_000 },
  async () => {
    await using scenario = await openScenario({ size: 6 })
    const first = storeDay(scenario.clock.now())
    const { counts, earned, places } = await liveDays(scenario, { seed: 1, shops, days })
    const { db, clock } = scenario

    for (const what of ['ordered', 'finished by claim code', 'finished by signature', 'adjusted'])
      expect(counts[what] ?? 0, what).toBeGreaterThan(0)
    expect(Object.keys(counts).filter((what) => what.startsWith('transfer refused'))).toEqual([])

    let total = 0
    for (const place of places) {
      const { weeks, owedCents, sentCents, next } = await readPayOverview(scenario, place)
      let stated = 0
      for (const { week } of weeks) {
        const statement = await readStatement(db, place.shopId, Temporal.PlainDate.from(week))
        stated += statement.totals.totalCents
      }
      total += stated
      const cents = earned.get(place.shopId) ?? 0
      expect(stated, `${place.shopId}`).toEqual(cents)
      expect(owedCents + sentCents, `${place.shopId}`).toBe(cents)
      // A shop with bank details has no overdue payouts, and its debt remains.
      if (place.hasBank && next) expect(Temporal.Instant.compare(next.dueAt, clock.now())).toBe(1)
    }
    expect(total).toBeGreaterThan(0)
    const { rows } = await sql`
      select from booking where state = 'held' and hold_expires_at <= ${clock.now().toString()}::timestamptz`.execute(
      db,
    )
    expect(rows).toEqual([])
    // The demo's orders to confirm stay pending all month because their sample charges can't be voided.
    const samples = await db
      .selectFrom('sales_order')
      .innerJoin('payment', 'payment.order_id', 'sales_order.id')
      .select('sales_order.id')
      .where('sales_order.state', '=', 'needs-confirmation')
      .where('payment.provider_ref', 'like', 'pi_sample%')
      .execute()
    // Every invariant, and what the provider and the store do not agree about.
    const found = await scenario.disagreements()
    const unanswered = found.filter((one) => typeof one !== 'string' && one.name === 'unanswered-order-canceled')
    expect(found.filter((one) => !unanswered.includes(one))).toEqual([])
    for (const one of unanswered) expect(one).toMatchObject({ broken: samples.length })
    const { margin } = await expectReportCells({ db, clock }, { from: first, to: storeDay(clock.now()) })
    // The pay for finished jobs is the cost of installation.
    const [, sales, unknown, cost] = margin.rows.find(([label]) => label === 'Installation') ?? []
    expect(Number(cost)).toBeGreaterThan(0)
    expect(Number(sales)).toBeGreaterThan(Number(unknown))
    process.stdout.write(`${shops} shops, ${days} days: ${JSON.stringify(counts)}, paid ${total / 100} dollars\n`)
  },
)
