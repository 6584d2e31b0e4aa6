/** Tests that changes in the audit log read in words. */
import { expect, test } from 'vitest'
import { recordAct, type Act } from './audit.server.ts'
import { changeText } from './audit-text.ts'

const changes = [
  [
    { dayCutoffs: 'Mon 14:00, Fri 12:00' },
    { dayCutoffs: 'Mon 15:00, Fri 12:00' },
    'Cut-off on Monday 2:00 PM → 3:00 PM',
  ],
  [{ dayCutoffs: 'Fri 12:00' }, { dayCutoffs: '' }, 'Cut-off on Friday 12:00 PM → none'],
  [
    { hours: '1 09:00-17:00' },
    { hours: '1 09:00-18:30' },
    'Pickup hours on Monday 9:00 AM to 5:00 PM → 9:00 AM to 6:30 PM',
  ],
  [
    { transitDays: '2, 3, 4, 7, 7, 10' },
    { transitDays: '1, 3, 4, 7, 7, 9' },
    'Transit nearby 2 days → 1 day; Transit to the territories 10 days → 9 days',
  ],
  [{ cutoff: '14:00', name: 'Joliet' }, { cutoff: '15:30', name: 'Joliet' }, 'Cut-off 2:00 PM → 3:30 PM'],
  [{ totalCents: 76_614 }, { totalCents: 80_014 }, 'Total $766.14 → $800.14'],
  [
    { shipDays: '1, 2', closedDays: '' },
    { shipDays: '1, 2, 6', closedDays: '2026-12-24, 2026-12-25' },
    'Shipping days Mon, Tue → Mon, Tue, Sat; Closed days none → Dec 24, 2026, Dec 25, 2026',
  ],
  [
    { receivingMinutes: 60, offersPickup: false },
    { receivingMinutes: 1, offersPickup: true },
    'Time to receive tires 60 minutes → 1 minute; Customer pickup no → yes',
  ],
  [
    { discountPpm: 50_000, commissionBp: 250 },
    { discountPpm: 62_500, commissionBp: 300 },
    'Discount 5% → 6.25%; Commission 2.5% → 3%',
  ],
  [{ warehouse: 'JOL', free: 4 }, { warehouse: 'JOL', free: 1_204 }, 'Warehouse JOL; Available 4 → 1,204'],
  [
    { phone: '3125550160', email: 'a@b.example' },
    { phone: '3125550161', email: null },
    'Phone (312) 555-0160 → (312) 555-0161; Email a@b.example → none',
  ],
  [null, { kind: 'Percentage', amount: 15 }, 'Kind Percentage; Discount 15%'],
  [null, { kind: 'Flat Amount', amount: 1_500, isOpen: false }, 'Kind Flat Amount; Discount $15.00; Open no'],
  [null, { warrantyMonths: 24, warrantyMiles: 24_000 }, 'Warranty 24 months; Warranty 24,000 miles'],
  [
    null,
    { startsAt: '2026-11-21T13:13:42.07Z', endsAt: null, sizes: ['a', 'b'] },
    'Starts Sat, Nov 21, 8:13 AM EST; Sizes a, b',
  ],
  [{ state: 'needs-confirmation' }, { state: 'confirmed' }, 'Status needs confirmation → confirmed'],
  [{ state: 'rejected' }, { order: 'S-104932' }, 'Status was rejected; Order S-104932'],
  [{ title: 'About us' }, null, 'Title About us'],
  [null, null, ''],
  [{ name: null }, { name: null }, ''],
] as const

test.for(changes)('a change from %j to %j reads in words', ([before, after, text]) => {
  expect(changeText({ before, after })).toBe(text)
})

test.for(['2026-13-45T99:99:99Z', '0000-00-00T00:00:00Z', '2026-13-45'])(
  'a text that only looks like a time stays: %s',
  (name) => {
    expect(changeText({ before: null, after: { name } })).toBe(`Name ${name}`)
  },
)

type Tx = Parameters<typeof recordAct>[0]

test('an act that records a field without a label does not compile', () => {
  const at = Temporal.Instant.from('2026-11-20T20:00:00Z')
  const about = { by: { via: 'command line', name: 'a' }, act: 'order.noted', subject: 's', at } as const
  // @ts-expect-error This field has no label.
  const act: Act = { ...about, after: { unheardOf: 1 } }
  const values = { name: 'a', unheardOf: 1 }
  // @ts-expect-error The same field in values from elsewhere.
  const record = (tx: Tx) => recordAct(tx, { ...about, after: values })
  const texts: Record<string, string> = {}
  // @ts-expect-error Fields with unknown names.
  const recordTexts = (tx: Tx) => recordAct(tx, { ...about, before: texts })
  expect([act, record, recordTexts]).toHaveLength(3)
})
