import { expect, test } from 'vitest'
import { orderCodeRequests } from '#domain/ordering/orders/order-code-limits.port.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createOrderCodeLimits } from './order-code-limits.ts'

test('limits an order to five emailed codes an hour across all channels', async () => {
  await using database = await createTestDatabase()
  const limits = createOrderCodeLimits({ db: database.db, networkFactor: 1 })
  const asked = await Promise.all(
    Array.from({ length: 8 }, (_, index) => limits.take({ orderId: 104_001, from: `203.0.113.${index}` })),
  )
  expect(asked.filter(({ ok }) => ok)).toHaveLength(orderCodeRequests.perOrder)
  for (const taken of asked)
    if (!taken.ok)
      expect(taken.detail.retryAfterSeconds).toSatisfy((seconds: number) => seconds > 3_500 && seconds <= 3_600)
  expect(await limits.take({ orderId: 104_002, from: '203.0.113.1' })).toMatchObject({ ok: true })
})

test('limits a network to twenty codes an hour across all orders', async () => {
  await using database = await createTestDatabase()
  const limits = createOrderCodeLimits({ db: database.db, networkFactor: 1 })
  const asked = await Promise.all(
    Array.from({ length: 25 }, (_, index) => limits.take({ orderId: index + 1, from: '203.0.113.1' })),
  )
  expect(asked.filter(({ ok }) => ok)).toHaveLength(orderCodeRequests.perNetwork)
  expect(await limits.take({ orderId: 99, from: '203.0.113.2' })).toMatchObject({ ok: true })
})
