/** The laws of canceling by line, with refunds and returns of the same order in any sequence. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entriesOfRefundedLines, type Entry } from '#domain/payments/ledger/ledger.server.ts'
import {
  handlingFeeOf,
  leftOf,
  refundUnits,
  splitRefund,
  sumOfParts,
  sumRefund,
  sumUnits,
  totalOf,
  unitsOfReturn,
  type AskedUnits,
  type MoneyLeft,
  type RefundableLine,
} from '#domain/ordering/refunds/refund-lines.ts'
import type { UnshippedPart } from '#domain/ordering/orders/orders.ts'
import { refused } from '#platform/outcome.ts'
import { lawRuns } from '#tests/support/law-runs.ts'
import { cancelableLines, countCancelable, partsToTake, tiresOf, unitsToCancel } from './cancel-lines.ts'

type Line = RefundableLine & { itemId: number | null; description: string }
type Part = UnshippedPart & { isShipped: boolean }

const none = { netCents: 0, taxCents: 0, fetCents: 0, tireFeeCents: 0 }

function lineOf(lineNo: number, kind: string, quantity: number, paid: Partial<Line> = {}): Line {
  return { ...none, lineNo, kind, quantity, itemId: null, description: kind, refundedUnits: 0, refunded: none, ...paid }
}

const cents = fc.record({
  netCents: fc.nat(200_000),
  taxCents: fc.nat(30_000),
  fetCents: fc.nat(5_000),
  tireFeeCents: fc.nat(2_000),
})
const tire = fc.record({
  quantity: fc.integer({ min: 1, max: 6 }),
  parcels: fc.integer({ min: 1, max: 2 }),
  paid: cents,
})

/** An order of one to three items with their services, and its unshipped parcels. */
const orders = fc
  .record({
    tires: fc.array(tire, { minLength: 1, maxLength: 3 }),
    services: fc.array(cents, { minLength: 5, maxLength: 5 }),
    creditShare: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ tires, services, creditShare }) => {
    const lines = tires.map(({ quantity, paid }, index) =>
      lineOf(index + 1, 'tire', quantity, { ...paid, itemId: index }),
    )
    const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
    const kinds = ['installation', 'service-kit', 'disposal', 'roadside', 'shipping']
    kinds.forEach((kind, index) => {
      const quantity = index < 3 ? count : 1
      lines.push(lineOf(lines.length + 1, kind, quantity, { ...services[index], fetCents: 0, tireFeeCents: 0 }))
    })
    lines.push(lineOf(lines.length + 1, 'coverage', lines[0]?.quantity ?? 1, { netCents: 1_999, itemId: 0 }))
    const parts = tires.flatMap(({ quantity, parcels }, index): Part[] =>
      Array.from({ length: Math.min(parcels, quantity) }, (_, parcel) => ({
        lineNo: index + 1,
        warehouseId: parcel,
        shipmentId: `parcel ${parcel}`,
        units: parcel === 0 ? quantity - Math.min(parcels, quantity) + 1 : 1,
        isShipped: false,
      })),
    )
    const totalCents = lines.reduce((sum, line) => sum + totalOf(line), 0)
    const creditCents = Math.floor((totalCents * creditShare) / 100)
    const dueLeftCents = totalCents - creditCents
    const money: MoneyLeft = { totalCents, creditCents, refundedCents: 0, refundedCreditCents: 0, dueLeftCents }
    return { lines, parts, money, entries: [] as Entry[], returned: new Map<number, number>() }
  })
type Order = typeof orders extends fc.Arbitrary<infer Value> ? Value : never

test('parts leave with a parcel’s last tire', () => {
  const lines = [
    lineOf(1, 'tire', 4, { itemId: 1 }),
    lineOf(2, 'part', 4, { description: 'Sensor' }),
    lineOf(3, 'installation', 4),
  ]
  const parcel = (id: string, lineNo: number, units: number) => ({ lineNo, warehouseId: 1, shipmentId: id, units })
  const unshipped = [parcel('a', 1, 2), parcel('b', 1, 2), parcel('a', 2, 4)]
  const cancelable = cancelableLines(lines, unshipped)
  expect(cancelable.map(({ kind, most }) => [kind, most])).toEqual([
    ['tire', 4],
    ['part', 4],
  ])
  const canceled = (units: number, rows = unshipped) => {
    const found = unitsToCancel(lines, cancelable, { asked: [{ lineNo: 1, units }], isLast: false, unshipped: rows })
    return found.ok ? found.value.find(({ lineNo }) => lineNo === 2)?.units : found.reason
  }
  expect(canceled(1)).toBeUndefined()
  expect(canceled(2)).toBe(4)
  // Tires come out of the other parcel first.
  expect(canceled(2, [parcel('b', 1, 2), parcel('a', 1, 2), parcel('a', 2, 4)])).toBeUndefined()
  expect(canceled(3, [parcel('b', 1, 2), parcel('a', 1, 2), parcel('a', 2, 4)])).toBeUndefined()
})

const steps = fc.array(
  fc.record({ act: fc.constantFrom('cancel', 'ship', 'refund', 'return', 'goodwill'), pick: fc.nat(9_999) }),
  { maxLength: 14 },
)

/** Refunds `lines`, or an amount without lines, and records it; no effect without remaining money. */
function giveBack(
  order: Order,
  lines: AskedUnits[],
  change: { amountCents?: number; hasHandlingFee?: boolean } = {},
): boolean {
  const leftCents = leftOf(order.money)
  const units = refundUnits(order.lines, lines, { keepsTireFee: false })
  if (!units.ok) throw new Error(`${units.reason} in a sequence that asks for what is there`)
  const { hasHandlingFee = false } = change
  const most =
    units.value.reduce((sum, line) => sum + totalOf(line), 0) - (hasHandlingFee ? handlingFeeOf(units.value, 2_000) : 0)
  const amountCents = change.amountCents ?? Math.min(most, leftCents)
  const sums = sumRefund(units.value, { amountCents, hasHandlingFee, feeCents: 2_000, leftCents })
  if (!sums.ok) return false
  const { creditCents, dueCents } = splitRefund(order.money, amountCents)
  order.money.refundedCents += amountCents
  order.money.refundedCreditCents += creditCents
  order.money.dueLeftCents -= dueCents
  for (const refund of units.value) {
    const line = order.lines.find(({ lineNo }) => lineNo === refund.lineNo)
    if (!line) throw new Error('A refunded line is on the order.')
    line.refundedUnits += refund.units
    line.refunded = sumOfParts([line.refunded, refund])
  }
  order.entries.push(
    ...entriesOfRefundedLines({ ...sumOfParts(units.value), handlingFeeCents: sums.value.handlingFeeCents }),
    { account: 'refunds', cents: amountCents },
    { account: 'cash', cents: -amountCents },
  )
  return true
}

function cancelRandomly(order: Order, pick: number): void {
  const unshipped = order.parts.filter(({ isShipped }) => !isShipped)
  const cancelable = cancelableLines(order.lines, unshipped)
  const asked = cancelable
    .map(({ lineNo, most }, index) => ({ lineNo, units: (pick >> index) % (most + 1) }))
    .filter(({ units }) => units > 0)
  const tires = tiresOf(order.lines, asked)
  const isLast = sumUnits(tires) === order.parts.reduce((sum, { units }) => sum + units, 0)
  const units = unitsToCancel(order.lines, cancelable, { asked, isLast })
  if (!units.ok) {
    expect(asked).toHaveLength(0)
    expect(units.reason).toBe('nothing-asked')
    return
  }
  const taken = partsToTake(unshipped, tires)
  if (!giveBack(order, units.value)) return
  for (const { lineNo, shipmentId, units: count } of taken) {
    const part = order.parts.find((one) => one.lineNo === lineNo && one.shipmentId === shipmentId)
    if (part) part.units -= count
  }
  if (isLast) for (const line of order.lines) expect(line.refundedUnits).toBe(line.quantity)
}

function actOn(order: Order, { act, pick }: { act: string; pick: number }): void {
  const line = order.lines[pick % order.lines.length]
  if (!line) return
  const left = line.quantity - line.refundedUnits
  switch (act) {
    case 'cancel':
      return cancelRandomly(order, pick)
    case 'ship':
      for (const part of order.parts) if (part.shipmentId === `parcel ${pick % 2}`) part.isShipped = true
      return
    case 'refund':
      if (left > 0)
        giveBack(order, [{ lineNo: line.lineNo, units: (pick % left) + 1 }], { hasHandlingFee: pick % 3 === 0 })
      return
    case 'return': {
      const shipped = order.parts.reduce(
        (sum, part) => (part.lineNo === line.lineNo && part.isShipped ? sum + part.units : sum),
        0,
      )
      const count = Math.min(left, shipped - (order.returned.get(line.lineNo) ?? 0))
      if (count < 1) return
      if (
        giveBack(order, unitsOfReturn(order.lines, new Map([[line.lineNo, count]])), { hasHandlingFee: pick % 2 === 0 })
      )
        order.returned.set(line.lineNo, (order.returned.get(line.lineNo) ?? 0) + count)
      return
    }
    default:
      giveBack(order, [], { amountCents: (pick % 500) + 1 })
  }
}

/** Describes errors in an order's totals. Uses one assertion per step so that thousands of sequences run fast. */
function faultsOf({ lines, parts, money, entries }: Order): string[] {
  const faults = lines.flatMap((line) => {
    const isOver =
      line.refundedUnits > line.quantity ||
      (['netCents', 'taxCents', 'fetCents', 'tireFeeCents'] as const).some((part) => line.refunded[part] > line[part])
    const isOff = line.refundedUnits === line.quantity && totalOf(line.refunded) !== totalOf(line)
    return isOver || isOff ? [`line ${line.lineNo} was refunded ${isOver ? 'too much' : 'not to the cent'}`] : []
  })
  if (money.refundedCents > money.totalCents || money.dueLeftCents < 0) faults.push('more refunded than captured')
  if (money.refundedCreditCents > money.creditCents) faults.push('more credit than was used')
  if (entries.reduce((sum, entry) => sum + entry.cents, 0) !== 0) faults.push('debits are not credits')
  if (parts.some(({ units }) => units < 0)) faults.push('a parcel holds less than nothing')
  return faults
}

test('law: any sequence of cancellations, refunds, and returns stays within the captured amount and balances to the cent', () => {
  fc.assert(
    fc.property(orders, steps, (order, acts) => {
      for (const step of acts) {
        actOn(order, step)
        expect(faultsOf(order)).toEqual([])
      }
    }),
    lawRuns,
  )
})

const tires = lineOf(1, 'tire', 4, { netCents: 80_000, itemId: 7 })
const disposal = lineOf(2, 'disposal', 4, { netCents: 1_600 })
const shipping = lineOf(3, 'shipping', 1, { netCents: 900 })
const lines = [tires, disposal, shipping]
const parts: UnshippedPart[] = [
  { lineNo: 1, warehouseId: 1, shipmentId: 'a', units: 1 },
  { lineNo: 1, warehouseId: 2, shipmentId: 'b', units: 3 },
]

test('unshipped tires and their services can be canceled, but not items tied to the whole order', () => {
  expect(cancelableLines(lines, parts.slice(1))).toMatchObject([
    { lineNo: 1, most: 3 },
    { lineNo: 2, most: 3 },
  ])
  expect(countCancelable(cancelableLines(lines, parts))).toBe(8)
  expect(cancelableLines([{ ...tires, refundedUnits: 3 }, disposal], parts)).toMatchObject([{ most: 1 }, { most: 1 }])
  expect(cancelableLines(lines, [])).toEqual([])
})

test('services go with their tires, and everything with the last one; more than is there is refused', () => {
  const cancelable = cancelableLines(lines, parts)
  const ask = (units: number, isLast = false) =>
    unitsToCancel(lines, cancelable, { asked: [{ lineNo: 1, units }], isLast })
  expect(ask(2)).toMatchObject({
    value: [
      { lineNo: 1, units: 2 },
      { lineNo: 2, units: 2 },
    ],
  })
  expect(ask(4, true)).toMatchObject({ value: [{ units: 4 }, { units: 4 }, { lineNo: 3, units: 1 }] })
  expect(ask(5)).toEqual(refused('more-than-unshipped', { lineNo: 1, most: 4 }))
  expect(unitsToCancel(lines, cancelable, { asked: [{ lineNo: 3, units: 1 }], isLast: false })).toEqual(
    refused('more-than-unshipped', { lineNo: 3, most: 0 }),
  )
  expect(unitsToCancel(lines, cancelable, { asked: [], isLast: false })).toEqual(refused('nothing-asked'))
})

test('tires are taken out of the parcels in their order', () => {
  expect(partsToTake(parts, [{ lineNo: 1, units: 2 }])).toEqual([
    { ...parts[0], units: 1 },
    { ...parts[1], units: 1 },
  ])
  expect(() => partsToTake(parts, [{ lineNo: 1, units: 5 }])).toThrow(RangeError)
})
