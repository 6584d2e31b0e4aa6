import { expect, test } from 'vitest'
import { allRoutes } from '#tests/support/routes.ts'
import { isTakenAddress, takenSegments } from './taken-addresses.server.ts'

test('every first segment of a route is taken', async () => {
  const segments = allRoutes.flatMap(({ path }) => path?.split('/')[0] ?? []).filter((each) => !/[:*.]/.test(each))
  const free = []
  for (const segment of new Set(segments)) if (!(await isTakenAddress(segment))) free.push(segment)
  expect(free).toEqual([])
  expect(takenSegments.size).toBeGreaterThan(60)
})

test('a released page is taken, and a new address is not', async () => {
  expect(await isTakenAddress('free-shipping')).toBe(true)
  expect(await isTakenAddress('winter-tire-storage')).toBe(false)
})
