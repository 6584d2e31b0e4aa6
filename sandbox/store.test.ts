import { expect, test } from 'vitest'
import { openStore } from './store.ts'

const at = (time: string) => Temporal.Instant.from(`2026-06-15T${time}Z`)

test('documents are listed newest first and paged by id', () => {
  const things = openStore(':memory:').collection<string>('thing')
  for (const id of ['a', 'b', 'c', 'd']) things.put(id, id.toUpperCase())
  things.put('b', 'B2')
  expect(things.list({ limit: 3 })).toEqual(['D', 'C', 'B2'])
  expect(things.list({ limit: 2, before: 'c' })).toEqual(['B2', 'A'])
  expect(things.list({ limit: 2, after: 'b' })).toEqual(['D', 'C'])
  expect(things.list({ limit: 2, before: 'nothing' })).toEqual([])
  expect(things.list({ limit: 2, after: 'nothing' })).toEqual([])
})

test('documents of an order are found, the oldest first, behind any number of others', () => {
  const store = openStore(':memory:')
  const captures = store.collection<{ no: number; orderId: string }>('capture')
  store.transaction(() => {
    for (let no = 0; no <= 12_000; no += 1) captures.put(`c${no}`, { no, orderId: no < 2 ? 'first' : 'another' })
  })
  store.collection('refund').put('r1', { no: 1, orderId: 'first' })
  captures.put('c0', { no: 0, orderId: 'first' })
  expect(captures.listWhere('orderId', 'first').map(({ no }) => no)).toEqual([0, 1])
  expect(captures.listWhere('orderId', 'unknown')).toEqual([])
  const orders = store.collection('order')
  orders.put('o1', { unit: { invoice_id: '104001' } })
  expect(orders.listWhere('invoiceId', '104001')).toHaveLength(1)
})

test('the newest are read up to the first that is not wanted, however many lie before it', () => {
  const things = openStore(':memory:').collection<number>('thing')
  for (const number of [1, 2, 3, 4, 5]) things.put(String(number), number)
  const read: number[] = []
  const found = things.newestWhile((number) => read.push(number) > 0 && number > 2, '5')
  expect(found).toEqual([4, 3])
  expect(read).toEqual([4, 3, 2])
  expect(things.newestWhile(() => true)).toEqual([5, 4, 3, 2, 1])
  expect(things.newestWhile(() => true, 'nothing')).toEqual([])
})

test('kinds are separate', () => {
  const store = openStore(':memory:')
  store.collection('one').put('a', 1)
  expect(store.collection('other').get('a')).toBeUndefined()
})

test('alarms fire in order, and an update retains the alarm by default', () => {
  const things = openStore(':memory:').collection<number>('thing')
  things.put('late', 1, at('12:00'))
  things.put('early', 1, at('11:00'))
  things.put('same', 1, at('11:00'))
  things.put('never', 1)
  things.put('early', 2)
  expect(things.nextDue(at('10:59'))).toBeUndefined()
  expect(things.nextDue(at('12:00'))).toEqual({ id: 'early', body: 2 })
  things.put('early', 3, null)
  expect(things.nextDue(at('12:00'))).toEqual({ id: 'same', body: 1 })
  things.remove('same')
  expect(things.nextDue(at('12:00'))).toEqual({ id: 'late', body: 1 })
})

test('a failed transaction is rolled back at any nesting depth', () => {
  const store = openStore(':memory:')
  const things = store.collection<number>('thing')
  things.put('a', 1)
  const failing = () =>
    store.transaction(() => {
      things.put('a', 2)
      store.transaction(() => things.put('b', 1))
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(things.list({ limit: 10 })).toEqual([1])
  store.transaction(() => things.put('a', 3))
  expect(things.get('a')).toBe(3)
})
