import { expect, test } from 'vitest'
import { orderPayloadId, readAnswer, readOrderPayloadId, supplierOrderNumber } from './supplier-answer.ts'

const ordered = [
  { lineNo: 1, sku: 'A', quantity: 4 },
  { lineNo: 3, sku: 'B', quantity: 2 },
]
const line = (lineNo: number, filled: number, rejected = 0, backordered = 0) => ({
  lineNo,
  filled,
  rejected,
  backordered,
})
const answer = (lines: ReturnType<typeof line>[], rest: 'filled' | 'rejected' | 'backordered' | null = null) =>
  readAnswer(ordered, { lines, rest, words: 'Out until May.' })

test('all of it is filled, or it is killed whole', () => {
  for (const filled of [answer([], 'filled'), answer([line(1, 4), line(3, 2)]), answer([line(1, 4)], 'filled')])
    expect(filled).toMatchObject({ ok: true, value: { outcome: 'filled', isPartial: false, reason: null } })
  expect(answer([], 'rejected')).toMatchObject({
    value: { outcome: 'killed', isPartial: false, lines: [line(1, 0, 4), line(3, 0, 2)] },
  })
  expect(answer([line(1, 3, 1)], 'filled')).toMatchObject({
    value: { outcome: 'killed', isPartial: true, reason: 'Rejected: 1 of 4 A. Out until May.' },
  })
  expect(answer([line(1, 1, 1), line(1, 1, 0, 1), line(3, 2)])).toMatchObject({
    value: {
      outcome: 'killed',
      lines: [line(1, 2, 1, 1), line(3, 2)],
      reason: 'Rejected: 1 of 4 A. Backordered: 1 of 4 A. Out until May.',
    },
  })
  expect(answer([], 'backordered')).toMatchObject({ value: { outcome: 'killed', isPartial: true } })
})

test('partial answers wait, and unordered items are rejected', () => {
  for (const waiting of [answer([]), answer([line(1, 4)]), answer([line(1, 2), line(3, 2)]), answer([line(1, 0, 4)])])
    expect(waiting).toMatchObject({ ok: true, value: { outcome: 'waiting' } })
  for (const wrong of [answer([line(2, 1)]), answer([line(1, 5)]), answer([line(1, 3), line(1, 2)], 'filled')])
    expect(wrong).toMatchObject({ ok: false, reason: 'mismatch' })
})

test('each request has a separate ID and number', () => {
  for (const series of ['PO', 'SPO'] as const) {
    const asked = { series, id: 5001, askedNo: 2 }
    expect(readOrderPayloadId(orderPayloadId(asked))).toEqual(asked)
    expect(supplierOrderNumber({ ...asked, askedNo: 1 })).toBe(`${series}-5001`)
    expect(supplierOrderNumber(asked)).toBe(`${series}-5001-2`)
  }
  for (const other of [
    '',
    'XSPO-1-1@sidewall',
    'withdraw-PO-5001-1@sidewall',
    'PO-5001@sidewall',
    `PO-${'9'.repeat(30)}-1@x`,
    'PO-1-1',
  ])
    expect(readOrderPayloadId(other)).toBeUndefined()
})
