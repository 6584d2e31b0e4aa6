/**
 * A month of orders paid in every way, canceled whole or by line, refunded, returned and disputed: every cell of the
 * office's reports against sums of the test's own.
 */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { expect, test } from 'vitest'
import { cancel } from '#domain/ordering/cancellations/cancellations.testing.ts'
import { makePlacedOrder, must } from '#domain/ordering/checkout/checkout.testing.ts'
import { orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { countMissedSearch } from '#domain/operations/reports/reports.server.ts'
import { refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import {
  inspectTire,
  previewRefundOfReturn,
  readReturn,
  receiveTires,
  refundReturn,
} from '#domain/ordering/returns/returns.server.ts'
import type { ReturnOutcome } from '#domain/ordering/returns/returns.ts'
import { makeReturn } from '#domain/ordering/returns/returns.testing.ts'
import { importRates, uploadRates } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { storeDay } from '#platform/store-zone.ts'
import { startReceiver } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { by, hear, liveOrder, openPaidStore, ways, type Fate, type PaidStore } from './paid-orders.ts'
import { expectReportCells } from './report-cells.ts'

const [port = 0] = await freePorts(3)
const fates: readonly Fate[] = ['kept', 'refunded in part', 'canceled', 'refunded whole', 'kept']

/** Orders in the month. Two of each three are a day apart, so that weeks and the month's end are crossed. */
const orders = 36

/** Returns tires with the given inspection `outcomes` and refunds the accepted ones. */
async function sendBack(store: PaidStore, orderId: number, outcomes: readonly ReturnOutcome[]) {
  const at = store.clock.now()
  await moveParcels(store, orderId, 'delivered', at)
  const rateLimits = createRateLimits({ db: store.db, networkFactor: 1_000 })
  const office = { ...store, rateLimits, returnLabelsPdf: async () => new Uint8Array([1]) }
  const id = await makeReturn(office, orderId, { lines: [{ lineNo: 1, quantity: outcomes.length }] })
  must(await receiveTires(store, by, { id, tireNos: outcomes.map((_, index) => index + 1) }))
  for (const [index, outcome] of outcomes.entries()) {
    const found = { finding: null, dot: null, isDotMatch: null, refusal: null, photo: null }
    must(await inspectTire(store, by, { id, tireNo: index + 1, outcome, ...found }))
  }
  const view = await readReturn(store.db, id)
  if (!view) throw new Error('The return of a test is gone.')
  const order = await orderOf(store, orderId)
  const { refundCents: agreedCents } = await previewRefundOfReturn(store.db, { view, order, feeReason: 'due' })
  must(await refundReturn(store, by, { id, feeReason: 'due', reorderId: null, agreedCents, isFresh: true }))
  await payOutRefunds(store)
}

/** An order by card without anything on it that was refunded before. */
async function charged(store: PaidStore): Promise<number> {
  const { orderId } = await makePlacedOrder(store, { itemId: store.itemId, fulfillment: 'home' })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  return orderId
}

test(
  'a month of orders: every cell of every report is what the orders, refunds and charges come to',
  { timeout: 300_000 },
  async () => {
    const toldAt = `http://127.0.0.1:${port + 2}`
    await using receiver = await startReceiver(port + 2)
    await using store = await openPaidStore(port, toldAt)
    await setLocalRates(store)
    const first = storeDay(store.clock.now())
    for (let nth = 0; nth < orders; nth += 1) {
      const [way, fate] = [ways[nth % ways.length], fates[nth % fates.length]]
      if (!way || !fate) throw new Error('There is no way to pay.')
      await liveOrder(store, { nth, way, fate })
      await hear(store, receiver.received)
      if (nth % 9 === 0) await sendBack(store, await charged(store), ['restock', 'scrap', 'supplier'])
      if (nth % 9 === 3) must(await cancel(store, await charged(store), [{ lineNo: 1, units: 1 }]))
      if (nth % 9 === 6) await giveGoodwill(store, await charged(store))
      await payOutRefunds(store)
      for (const typed of ['Acme Mud Grip', `acme  mud grip`, `only once ${nth}`, '312 555 0142'])
        await countMissedSearch(store, typed)
      store.clock.set(store.clock.now().add({ hours: 18 }))
    }
    await hear(store, receiver.received)
    const last = storeDay(store.clock.now())
    expect(first.until(last).days).toBeGreaterThan(27)
    const { filing } = await expectReportCells(store, { from: first, to: last })
    expect(filing.rows.map(([state, level, name]) => [state, level, name])).toEqual(
      expect.arrayContaining([
        ['IL', 'State', null],
        ['IL', 'County', 'Cook County'],
        ['IL', 'City', 'Chicago'],
        ['IL', 'District', 'Special districts'],
      ]),
    )
    expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
  },
)

/** Sets county, city, and district rates for some of the orders' destinations. */
async function setLocalRates(store: PaidStore) {
  const header = 'state,zip,starts,ends,state_percent,county,county_percent,city,city_percent,special_percent,source'
  const rows = [
    'IL,60614,2025-01-01,,6.25,Cook County,1.75,Chicago,1.25,1,test',
    'IL,60101,2025-01-01,,6.25,DuPage County,0.5,,,0.75,test',
  ]
  const file = { formKey: newId(), fileName: 'il.csv', text: [header, ...rows].join('\n') }
  must(await importRates(store, desk, must(await uploadRates(store, desk, file))))
}

/** Gives a goodwill amount, then a tire, approved by one person. */
async function giveGoodwill(store: PaidStore, orderId: number) {
  const why = { bearer: 'store', lowerReason: null, hasHandlingFee: false, agreedCents: null, isFresh: true } as const
  const refund = (asked: { lines: { lineNo: number; units: number }[]; amountCents: number | null }, note: string) =>
    refundOrder(store, { ...why, ...asked, reason: 'other', note, orderId, actor: by, key: newId() })
  must(await refund({ lines: [], amountCents: 1_234 }, 'The customer waited.'))
  must(await refund({ lines: [{ lineNo: 1, units: 1 }], amountCents: null }, 'One tire was damaged.'))
  await payOutRefunds(store)
}
