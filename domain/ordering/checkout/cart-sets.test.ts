import { expect, test } from 'vitest'
import type { Axle } from '#domain/payments/cart/cart.ts'
import { cartSets } from './cart-sets.ts'

const line = (id: string, quantity: number, axle: Axle = 'all') => ({ id, quantity, axle })

/** "a+b" for lines judged together, "!" where left and right differ, "?" where either pair may go in front. */
const sets = (...lines: ReturnType<typeof line>[]) =>
  cartSets(lines, 4).map(
    ({ lines: own, leftAndRightDiffer, isEitherWay }) =>
      own.map(({ id }) => id).join('+') + (leftAndRightDiffer ? '!' : '') + (isEitherWay ? '?' : ''),
  )

test('a single line is a set, and front and rear are one set', () => {
  expect(sets(line('a', 4))).toEqual(['a'])
  expect(sets(line('a', 2))).toEqual(['a'])
  expect(sets(line('a', 2, 'front'), line('b', 2, 'rear'))).toEqual(['a+b'])
  expect(cartSets([line('b', 2, 'rear'), line('a', 2, 'front')], 4)).toMatchObject([
    { front: { id: 'a' }, rear: { id: 'b' } },
  ])
  expect(cartSets([line('b', 2, 'rear')], 4)).toMatchObject([{ front: undefined, rear: { id: 'b' } }])
})

test('two pairs that make up the wheels are front and rear', () => {
  expect(sets(line('a', 2), line('b', 2))).toEqual(['a+b?'])
})

test('odd quantities that make up the wheels share an axle with another tire', () => {
  expect(sets(line('a', 1), line('b', 3))).toEqual(['a!', 'b!'])
  expect(sets(line('a', 1), line('b', 1), line('c', 2))).toEqual(['a!', 'b!', 'c'])
})

test('two different tires for one axle differ left and right', () => {
  expect(sets(line('a', 1, 'front'), line('b', 1, 'front'))).toEqual(['a+b!'])
  expect(sets(line('a', 2, 'front'), line('b', 1, 'rear'), line('c', 1, 'rear'))).toEqual(['a+b+c!'])
})

test('more or fewer tires than wheels leave the lines separate', () => {
  expect(sets(line('a', 4), line('b', 4))).toEqual(['a', 'b'])
  expect(sets(line('a', 1), line('b', 1))).toEqual(['a', 'b'])
  expect(sets(line('a', 3), line('b', 2))).toEqual(['a', 'b'])
})
