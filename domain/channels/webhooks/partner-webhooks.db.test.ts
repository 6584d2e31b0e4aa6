/** Tests partner events. They contain no personal data, and report returns as a whole. */
import { accountOf } from '#domain/customers/accounts/accounts.testing.ts'
import { expect, test } from 'vitest'
import { renderWebhook, webhookBody } from '#api/webhook-events.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import {
  agreeTo,
  asOwner,
  makePlacedOrder,
  makeReadyCart,
  must,
  payByCard,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import {
  applyAsPartner,
  approvePartner,
  closeWidget,
  findOwnWidget,
  listApplications,
  noteWidget,
} from '#domain/customers/programs/programs.server.ts'
import {
  inspectTire,
  previewRefundOfReturn,
  readReturn,
  receiveTires,
  refundReturn,
} from '#domain/ordering/returns/returns.server.ts'
import { makeDeliveredOrder, makeReturn, openReturnsStore } from '#domain/ordering/returns/returns.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import type { Application } from '#application'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { addWebhookEndpoint, deliverWebhooks, listWebhookEndpoints } from './webhooks.server.ts'
import { startReceiver } from './webhooks.testing.ts'
import { webhookTypeNames } from './webhooks.ts'

const [port = 0] = await freePorts(3)

test('a partner gets events only for its widget’s orders, without customer names', async () => {
  await using store = await openReturnsStore(port)
  await using receiver = await startReceiver()
  const app = { ...store, outgoing: receiver.outgoing } as unknown as Application
  const pat = await accountOf(store, 'pat@example.com')
  const asked = { business: 'Lakeview Riders', name: 'Pat Lee', phone: '3125550100', people: 40, message: '' }
  const site = 'https://riders.example'
  must(await applyAsPartner(store, { ...asked, email: pat.email, site, networkKey: 'n' }))
  const [application] = await listApplications(store)
  must(await approvePartner(store, { id: application?.id ?? 0, by: desk }))
  const widget = await findOwnWidget(store, pat)
  const url = `${receiver.origin}/partner`
  must(await addWebhookEndpoint(app, pat, { owner: 'partner', url, types: webhookTypeNames }))
  expect(await listWebhookEndpoints(app, { ...pat, accountId: newId() })).toBeNull()

  const { id } = await makeReadyCart(store, { fulfillment: 'home' })
  await noteWidget(store, id, { widgetId: widget?.id ?? '', source: null, shopId: null })
  const cart = await readCart(store, id)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, id, totalCents)
  const { orderId } = must(await placeOrder(store, input))
  await makePlacedOrder(store, { fulfillment: 'home' })
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  await deliverWebhooks(app, (delivery) => renderWebhook(app, delivery))

  const bodies = receiver.heard.map(({ body }) => webhookBody.parse(JSON.parse(body)))
  expect(bodies[0]).toMatchObject({
    type: 'order.placed',
    data: { order: { isCanceled: false, tireCents: expect.any(Number) as number } },
  })
  expect(new Set(bodies.map(({ type }) => type))).toEqual(
    new Set(['order.placed', 'shipment.shipped', 'shipment.delivered']),
  )
  // All have the same order identifier, which gives no access.
  const names = new Set(bodies.map(({ data }) => ('order' in data && 'id' in data.order ? data.order.id : null)))
  expect(names.size).toBe(1)
  for (const { body } of receiver.heard)
    for (const secret of ['Dana', 'Reyes', 'Halsted', '60614', '3125550188', 'example.com', String(orderId)])
      expect(body).not.toContain(secret)

  const heard = receiver.heard.length
  must(await closeWidget(store, { id: widget?.id ?? '', by: desk }))
  await makePlacedOrder(store, { fulfillment: 'home' })
  await deliverWebhooks(app, (delivery) => renderWebhook(app, delivery))
  expect(receiver.heard).toHaveLength(heard)
})

test('a return sends events when requested, fully received, and refunded', async () => {
  await using store = await openReturnsStore(port)
  await using receiver = await startReceiver()
  const app = { ...store, outgoing: receiver.outgoing } as unknown as Application
  const owner = await asOwner(store)
  const olga = { accountId: owner.accountId, email: 'olga@acme.example', isEmailVerified: true }
  const url = `${receiver.origin}/returns`
  const types = ['return.requested', 'return.received', 'return.refunded'] as const
  must(await addWebhookEndpoint(app, olga, { owner: 'company', url, types }))
  const { orderId } = await makeDeliveredOrder({ ...store, ...owner })
  const deliver = () => deliverWebhooks(app, (delivery) => renderWebhook(app, delivery))
  const heard = () => receiver.heard.map(({ body }) => webhookBody.parse(JSON.parse(body)))

  const id = await makeReturn(store, orderId, { lines: [{ lineNo: 1, quantity: 2 }] })
  await deliver()
  expect(heard()).toMatchObject([
    { type: 'return.requested', data: { order: { orderId }, return: { returnId: id, feeCents: 4_000 } } },
  ])
  must(await receiveTires(store, desk, { id, tireNos: [1] }))
  await deliver()
  expect(heard()).toHaveLength(1)
  must(await receiveTires(store, desk, { id, tireNos: [2] }))
  await deliver()
  expect(heard().map(({ type }) => type)).toEqual(['return.requested', 'return.received'])
  for (const tireNo of [1, 2])
    must(
      await inspectTire(store, desk, {
        id,
        tireNo,
        outcome: 'restock',
        refusal: null,
        photo: null,
        finding: '10/32 in',
        dot: 'SDWL 3126',
        isDotMatch: true,
      }),
    )
  const [view, order] = [await readReturn(store.db, id), await readOrder(store.db, orderId)]
  if (!view || !order) throw new Error('The return of a test is gone.')
  const { refundCents } = await previewRefundOfReturn(store.db, { view, order, feeReason: 'due' })
  const asked = { id, feeReason: 'due', reorderId: null, agreedCents: refundCents, isFresh: true } as const
  must(await refundReturn(store, desk, asked))
  await deliver()
  expect(heard().map(({ type }) => type)).toEqual(types)
  expect(heard().at(-1)).toMatchObject({ data: { return: { returnId: id, state: 'refunded' } } })
})
