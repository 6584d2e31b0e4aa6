/** Tests return photos over the API, including the messages for refused ones. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { orderKey } from '#domain/ordering/orders/orders.server.ts'
import { openApi } from './api.testing.ts'

test('a return that needs photos is opened with them, and a photo that cannot be used is refused by its name', async () => {
  await using api = await openApi()
  const { db, config } = api.app
  const { order_id: orderId } = await db
    .selectFrom('order_return')
    .select('order_id')
    .where('id', '=', 1001)
    .executeTakeFirstOrThrow()
  const { item_id: itemId } = await db
    .selectFrom('order_line')
    .select('item_id')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'tire')
    .executeTakeFirstOrThrow()
  const key = encodeURIComponent(orderKey(config.session.secret, orderId, api.clock.now()))
  let calls = 0
  const open = (photos: { name: string; data: string }[]) =>
    api.call('POST', `/orders/${orderId}/returns?key=${key}`, {
      body: { tires: [{ itemId, quantity: 1 }], reason: 'wrong-item', unmounted: true, photos },
      headers: { 'idempotency-key': `photos-${(calls += 1)}` },
    })
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#14161a' } })
    .jpeg()
    .toBuffer()
  const encoded = (bytes: Buffer) => bytes.toString('base64')

  expect(await open([])).toMatchObject({ status: 422, body: { code: 'NotReturnable' } })
  for (const [data, message] of [
    [encoded(Buffer.alloc(1024 * 1024 + 1)), 'File size is greater than 1MB'],
    [encoded(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0])), 'An error has occured while reading the file.'],
    [encoded(Buffer.from('<svg/>')), 'Please send pictures, such as JPG or PNG.'],
  ] as const)
    expect(await open([{ name: 'tread.jpg', data }])).toMatchObject({
      status: 422,
      body: { code: 'PhotoRefused', message, data: { name: 'tread.jpg' } },
    })
  expect(await open([{ name: 'tread.jpg', data: 'not base64!' }])).toMatchObject({ status: 400 })
  const six = Array.from({ length: 6 }, () => ({ name: 'tread.jpg', data: encoded(picture) }))
  expect(await open(six)).toMatchObject({ status: 400 })
  const opened = await open([{ name: 'tread.jpg', data: encoded(picture) }])
  expect(opened).toMatchObject({ status: 201, body: { reason: 'wrong-item' } })
  const { returnId } = opened.body as { returnId: number }
  const kept = await db.selectFrom('return_photo').select(['no', 'by']).where('return_id', '=', returnId).execute()
  expect(kept).toEqual([{ no: 1, by: 'shopper' }])
})
