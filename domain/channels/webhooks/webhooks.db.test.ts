/** Webhooks from event to receiver, with recipients, order, retries and termination. */
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import { renderWebhook, webhookBody } from '#api/webhook-events.ts'
import { findMembership } from '#domain/customers/companies/companies.server.ts'
import {
  asOwner,
  makePlacedOrder,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { cancelOrder } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels, moveParcelsIn } from '#domain/ordering/orders/orders.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { readConfig } from '#platform/config.ts'
import type { Application } from '#application'
import { freePorts } from '#tests/support/free-ports.ts'
import { startReceiver } from './webhooks.testing.ts'
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  deliverWebhooks,
  forgetOldWebhooks,
  listDeadLetters,
  listWebhookDeliveries,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  replayAsStaff,
  replayWebhooks,
  rotateWebhookSecret,
  showWebhookSecret,
  testWebhookEndpoint,
  webhookMessageValues,
} from './webhooks.server.ts'
import { mostAttempts, retryMinutes, webhookTypeNames, type WebhookType } from './webhooks.ts'

const [port = 0] = await freePorts(3)
afterEach(() => void vi.useRealTimers())

async function open() {
  const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
  if (!read.ok) throw new Error('The configuration of tests is wrong.')
  const store = await openTestStore(port)
  const receiver = await startReceiver()
  const owner = await asOwner(store)
  const person = { accountId: owner.accountId, email: 'olga@acme.example', isEmailVerified: true }
  const app = { ...store, config: read.value, outgoing: receiver.outgoing } as unknown as Application
  return {
    store,
    receiver,
    owner,
    person,
    app,
    deliver: () => deliverWebhooks(app, (delivery) => renderWebhook(app, delivery)),
    async endpointAt(path: string, types: readonly WebhookType[] = webhookTypeNames) {
      return must(await addWebhookEndpoint(app, person, { owner: 'company', url: receiver.origin + path, types })).id
    },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** Verifies a message with the official library, at the store's time. */
function verified(store: TestStore, secret: string, { headers, body }: { headers: object; body: string }) {
  vi.useFakeTimers({ now: store.clock.now().epochMilliseconds, toFake: ['Date'] })
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

const typesIn = (heard: readonly { body: string }[]) =>
  heard.map(({ body }) => (JSON.parse(body) as { type: string }).type)

test('a company gets its own orders’ events, complete, signed, and in sequence', async () => {
  await using test = await open()
  const { store, receiver, app, person, owner } = test
  const id = await test.endpointAt('/all')
  await test.endpointAt('/placed', ['order.placed'])
  const { secret } = must(await showWebhookSecret(app, person, id))
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await showWebhookSecret(app, person, id)).toMatchObject({ reason: 'shown-already' })

  const others = await makePlacedOrder(store, { fulfillment: 'home' })
  const { orderId } = await makePlacedOrder(owner)
  expect((await findMembership(store, person.accountId))?.company.id).toBe(owner.companyId)
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  await moveParcels(store, others.orderId, 'delivered', store.clock.now())
  await test.deliver()

  const mine = receiver.heard.filter(({ path }) => path === '/all')
  const shipped = typesIn(mine).slice(2)
  expect(typesIn(mine).slice(0, 2).toSorted()).toEqual(['appointment.booked', 'order.placed'])
  expect(new Set(shipped)).toEqual(new Set(['shipment.shipped', 'shipment.delivered']))
  expect(typesIn(receiver.heard.filter(({ path }) => path === '/placed'))).toEqual(['order.placed'])
  for (const message of mine) {
    const body = webhookBody.parse(verified(store, secret, message))
    expect(body).toMatchObject({
      id: message.headers['webhook-id'],
      data: { order: { orderId, contact: { lastName: 'Reyes' } } },
    })
  }
  expect(() => verified(store, secret, { ...mine[0], headers: {}, body: '' })).toThrow()
  expect(() => verified(store, secret, { headers: mine[0]?.headers ?? {}, body: `${mine[0]?.body} ` })).toThrow()
  // Delivered once, however often the job runs.
  await test.deliver()
  expect(receiver.heard.filter(({ path }) => path === '/all')).toHaveLength(mine.length)
})

test('a rollback sends no event, and a cancellation does', async () => {
  await using test = await open()
  const { store, receiver, owner } = test
  await test.endpointAt('/a', ['order.canceled', 'appointment.canceled', 'shipment.delivered'])
  const { orderId } = await makePlacedOrder(owner)
  const undone = new Error('undone')
  const delivering = store.db.transaction().execute(async (tx) => {
    await moveParcelsIn(tx, orderId, 'delivered', store.clock.now())
    throw undone
  })
  await expect(delivering).rejects.toBe(undone)
  await test.deliver()
  expect(receiver.heard).toEqual([])
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  await test.deliver()
  expect(typesIn(receiver.heard).toSorted()).toEqual(['appointment.canceled', 'order.canceled'])
})

test('an undelivered event delays only later events for its order', async () => {
  await using test = await open()
  const { store, receiver, app, person, owner } = test
  const id = await test.endpointAt('/a', ['order.placed', 'shipment.shipped', 'shipment.delivered'])
  receiver.answers.set('/a', 500)
  const first = await makePlacedOrder(owner, { fulfillment: 'home' })
  await moveParcels(store, first.orderId, 'in-transit', store.clock.now())
  await test.deliver()
  expect(typesIn(receiver.heard)).toEqual(['order.placed'])
  await test.deliver()
  expect(receiver.heard).toHaveLength(1)

  const second = await makePlacedOrder(owner, { fulfillment: 'home' })
  receiver.answers.delete('/a')
  await test.deliver()
  expect(typesIn(receiver.heard)).toEqual(['order.placed', 'order.placed'])
  expect(receiver.heard[1]?.body).toContain(`"orderId":${second.orderId}`)
  store.clock.set(store.clock.now().add({ minutes: retryMinutes[0] }))
  await test.deliver()
  expect(typesIn(receiver.heard.slice(2))[0]).toBe('order.placed')
  expect(new Set(typesIn(receiver.heard.slice(3)))).toEqual(new Set(['shipment.shipped']))
  // Every attempt has the same body and id, with a new time and signature.
  expect(receiver.heard[2]?.body).toBe(receiver.heard[0]?.body)
  expect(receiver.heard[2]?.headers['webhook-id']).toBe(receiver.heard[0]?.headers['webhook-id'])
  expect(receiver.heard[2]?.headers['webhook-signature']).not.toBe(receiver.heard[0]?.headers['webhook-signature'])
  const found = await listWebhookDeliveries(app, person, id)
  expect(found?.deliveries.every(({ state }) => state === 'delivered')).toBe(true)
})

test('nine attempts over four hours, then a dead letter, a paused endpoint and an email; replayed by its owner', async () => {
  await using test = await open()
  const { store, receiver, app, person, owner } = test
  const id = await test.endpointAt('/a', ['order.placed'])
  receiver.answers.set('/a', 503)
  await makePlacedOrder(owner, { fulfillment: 'home' })
  const began = store.clock.now()
  for (const minutes of [0, ...retryMinutes]) {
    store.clock.set(store.clock.now().add({ minutes }))
    await test.deliver()
  }
  expect(receiver.heard).toHaveLength(mostAttempts)
  expect(mostAttempts).toBeGreaterThanOrEqual(8)
  expect(began.until(store.clock.now()).total('hours')).toBeGreaterThanOrEqual(4)
  expect((await listWebhookEndpoints(app, person))?.[0]).toMatchObject({ state: 'paused', pausedBecause: 'failing' })
  expect((await listWebhookDeliveries(app, person, id))?.deliveries).toMatchObject([
    { state: 'dead', attempts: mostAttempts, status: 503 },
  ])
  const mails = await store.db.selectFrom('message').selectAll().where('kind', '=', 'webhook-paused').execute()
  expect(mails).toMatchObject([{ to_address: 'olga@acme.example' }])
  const about = { key: mails[0]?.key ?? '' }
  expect(await webhookMessageValues(app, about)).toMatchObject({
    endpoint: `${receiver.origin}/a`,
    reason: 'Paused: it failed for over four hours.',
  })

  // Events during the pause become dead letters, and are delivered in order after the endpoint is resumed.
  await makePlacedOrder(owner, { fulfillment: 'home' })
  expect(await replayWebhooks(app, person, { endpointId: id, deliveryId: null })).toMatchObject({ reason: 'paused' })
  const { letters } = await listDeadLetters(app, null)
  expect(letters).toMatchObject([{ fault: 'paused', attempts: 0 }, { status: 503 }])
  const newest = letters[0]?.id ?? 0
  expect(await replayAsStaff(app, { deliveryId: newest, by: desk })).toMatchObject({ reason: 'paused' })
  must(await changeWebhookEndpoint(app, person, id, { isPaused: false }))
  receiver.answers.delete('/a')
  expect(await replayAsStaff(app, { deliveryId: newest, by: desk })).toMatchObject({ ok: true })
  expect(must(await replayWebhooks(app, person, { endpointId: id, deliveryId: null }))).toEqual({ count: 1 })
  await test.deliver()
  expect(receiver.heard.slice(mostAttempts)).toHaveLength(2)
  expect((await listDeadLetters(app, null)).letters).toEqual([])
  expect(await replayAsStaff(app, { deliveryId: newest, by: desk })).toMatchObject({ reason: 'not-dead' })
})

test('410 pauses an endpoint immediately, and a removed one gets no events', async () => {
  await using test = await open()
  const { receiver, app, person, owner } = test
  const gone = await test.endpointAt('/gone', ['order.placed'])
  const removed = await test.endpointAt('/removed', ['order.placed'])
  receiver.answers.set('/gone', 410)
  await makePlacedOrder(owner, { fulfillment: 'home' })
  must(await removeWebhookEndpoint(app, person, removed))
  await test.deliver()
  expect(receiver.heard.map(({ path }) => path)).toEqual(['/gone'])
  expect(await listWebhookEndpoints(app, person)).toMatchObject([{ id: gone, pausedBecause: 'gone' }])
  expect(await testWebhookEndpoint(app, person, gone)).toMatchObject({ reason: 'paused' })
})

test('the new and previous secrets both sign for a day', async () => {
  await using test = await open()
  const { store, receiver, app, person } = test
  const id = await test.endpointAt('/a')
  const { secret: before } = must(await showWebhookSecret(app, person, id))
  must(await rotateWebhookSecret(app, person, id))
  must(await rotateWebhookSecret(app, person, id))
  const { secret: after } = must(await showWebhookSecret(app, person, id))
  expect(after).not.toBe(before)
  must(await testWebhookEndpoint(app, person, id))
  await test.deliver()
  const [both = { headers: {}, body: '' }] = receiver.heard
  expect(verified(store, before, both)).toMatchObject({ type: 'webhook.test', data: {} })
  expect(verified(store, after, both)).toMatchObject({ type: 'webhook.test' })
  // Receivers reject old and future timestamps.
  store.clock.set(store.clock.now().add({ minutes: 6 }))
  expect(() => verified(store, after, both)).toThrow('too old')
  store.clock.set(store.clock.now().subtract({ minutes: 12 }))
  expect(() => verified(store, after, both)).toThrow('too new')
  store.clock.set(store.clock.now().add({ hours: 25 }))
  must(await testWebhookEndpoint(app, person, id))
  await test.deliver()
  const alone = receiver.heard[1] ?? both
  expect(() => verified(store, before, alone)).toThrow('No matching signature')
  expect(verified(store, after, alone)).toMatchObject({ type: 'webhook.test' })
})

test('addresses that are no one’s business are refused, endpoints of others unknown, and the list has an end', async () => {
  await using test = await open()
  const { app, person, receiver, store } = test
  const add = (url: string) => addWebhookEndpoint(app, person, { owner: 'company', url, types: ['order.placed'] })
  expect(await add('http://hooks.example.com/')).toMatchObject({ reason: 'not-https' })
  expect(await add('https://169.254.169.254/latest')).toMatchObject({ reason: 'private-address' })
  expect(await add('no address')).toMatchObject({ reason: 'bad-address' })
  expect(await add(`https://hooks.example.com/${'ä'.repeat(200)}`)).toMatchObject({ reason: 'bad-address' })
  const id = await test.endpointAt('/1')
  expect(await add(`${receiver.origin}/1#again`)).toMatchObject({ reason: 'known' })
  for (const no of [2, 3, 4, 5]) await test.endpointAt(`/${no}`)
  expect(await add(`${receiver.origin}/6`)).toMatchObject({ reason: 'too-many' })
  expect(await changeWebhookEndpoint(app, person, id, { url: `${receiver.origin}/2` })).toMatchObject({
    reason: 'known',
  })
  const partner = { owner: 'partner', url: 'https://hooks.example.com/', types: ['order.placed'] } as const
  expect(await addWebhookEndpoint(app, person, partner)).toMatchObject({ reason: 'not-allowed' })
  const stranger = await asOwner(store, 'sam@rival.example')
  const rival = { accountId: stranger.accountId, email: 'sam@rival.example', isEmailVerified: true }
  for (const refusal of [
    await changeWebhookEndpoint(app, rival, id, { isPaused: true }),
    await removeWebhookEndpoint(app, rival, id),
    await rotateWebhookSecret(app, rival, id),
    await showWebhookSecret(app, rival, id),
    await testWebhookEndpoint(app, rival, id),
    await replayWebhooks(app, rival, { endpointId: id, deliveryId: null }),
    await removeWebhookEndpoint(app, person, 'no id'),
  ])
    expect(refusal).toMatchObject({ reason: 'not-known' })
  expect(await listWebhookDeliveries(app, rival, id)).toBeUndefined()
})

test('events are forgotten when they are long over, and never while they wait', async () => {
  await using test = await open()
  const { store, receiver, owner } = test
  await test.endpointAt('/a', ['order.placed'])
  await makePlacedOrder(owner, { fulfillment: 'home' })
  await test.deliver()
  receiver.answers.set('/a', 500)
  await makePlacedOrder(owner, { fulfillment: 'home' })
  await test.deliver()
  expect(receiver.heard).toHaveLength(2)
  expect(await forgetOldWebhooks(store.db, store.clock.now().subtract({ hours: 1 }))).toBe(0)
  expect(await forgetOldWebhooks(store.db, store.clock.now().add({ hours: 1 }))).toBe(1)
  const left = await store.db.selectFrom('webhook_delivery').select('state').execute()
  expect(left).toEqual([{ state: 'waiting' }])
})
