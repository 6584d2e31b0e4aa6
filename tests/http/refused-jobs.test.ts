/** A shop refuses a job in the portal; its shopper follows the mail and takes another shop with one tap, without script. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinShop } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { openStartedStore, type StartedStore } from '#tests/faults/started-store.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { createVisitor, signInToPortal } from '#tests/support/visitor.ts'

let store: StartedStore
beforeAll(async () => {
  store = await openStartedStore()
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const bookingOf = (orderId: number) =>
  store.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['booking.id', 'booking.state', 'booking.shop_id as shopId', 'shop.code', 'shop.name'])
    .where('cart_id', '=', (orders) => orders.selectFrom('sales_order').select('cart_id').where('id', '=', orderId))
    .orderBy('booking.created_at', 'desc')
    .executeTakeFirstOrThrow()

/** Creates an order with a job that its shop refused, as a technician does. */
async function refusedOrder(email: string): Promise<{ orderId: number; shopId: number; name: string }> {
  const placed = await store.press(await store.prepare(email))
  if (!('orderId' in placed)) throw new Error(placed.text)
  const { orderId } = placed
  const booking = await bookingOf(orderId)
  await joinShop(store.database, { shopId: booking.shopId })
  const technician = createVisitor()
  await signInToPortal(store.origin, technician, 'technician@example.com')
  const refused = await technician.ask(`${store.origin}/portal/${booking.code}/jobs/${booking.id}`, {
    form: { intent: 'refused', because: 'equipment' },
  })
  expect(refused.status).toBe(303)
  expect((await bookingOf(orderId)).state).toBe('canceled')
  return { orderId, shopId: booking.shopId, name: booking.name }
}

test('a declined job’s email opens other shops’ times, and twenty taps book one', async () => {
  const email = 'refused@example.com'
  const { orderId, shopId, name } = await refusedOrder(email)
  const mail = await newestMail(store, email, 'Choose again')
  const link = linkIn(mail, 'appointment')
  const shopper = createVisitor()
  const answer = await shopper.ask(link)
  const page = (await answer.text()).replaceAll('<!-- -->', '')
  expect(answer.status).toBe(200)
  expect(page).toContain(`${name} cannot do the job`)
  expect(page).toContain('Our equipment cannot do this job. There’s no extra charge.')
  expect(page.indexOf('Pick another shop')).toBeLessThan(page.indexOf(`Or another time at ${name}`))

  const forms = [...page.matchAll(/<form [^>]*aria-label="Times at [^"]*" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)]
  expect(forms.length).toBeGreaterThan(0)
  const [, at = '', first = ''] = forms[0] ?? []
  const field = (key: string) => new RegExp(`name="${key}" value="([^"]*)"`).exec(first)?.[1] ?? ''
  const form = {
    intent: 'change',
    to: field('to'),
    agreed: field('agreed'),
    once: field('once'),
    time: /value="([^"]+Z)"/.exec(first)?.[1] ?? '',
  }
  expect(form.to).not.toBe(`shop:${shopId}`)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => shopper.ask(`${store.origin}${at.replaceAll('&amp;', '&')}`, { form })),
  )
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([303])
  const now = await bookingOf(orderId)
  // Where it costs more, the time is held until the difference is paid.
  const isPaid = (answers[0]?.headers.get('location') ?? '').includes('done=changed')
  expect(now.state).toBe(isPaid ? 'confirmed' : 'held')
  expect(`shop:${now.shopId}`).toBe(form.to)
  const there = await store.db
    .selectFrom('booking')
    .select('id')
    .where('shop_id', '=', now.shopId)
    .where('cart_id', '=', (orders) => orders.selectFrom('sales_order').select('cart_id').where('id', '=', orderId))
    .execute()
  expect(there).toHaveLength(1)
  // Choosing another time on the same page returns a conflict.
  const late = await shopper.ask(`${store.origin}${at.replaceAll('&amp;', '&')}`, {
    form: { ...form, once: crypto.randomUUID() },
  })
  expect(late.status).toBe(409)
})

test('over the API the next shops are read and one is taken, at the price that was read', async () => {
  const { orderId, shopId } = await refusedOrder('refused-api@example.com')
  const key = encodeURIComponent(store.keyOf(orderId))
  const api = async (path: string, body?: object) => {
    const answer = await fetch(`${store.origin}/api/orders/${orderId}/installation/shops${path}?key=${key}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const { shops } = (await api('')).body as {
    shops: { shopId: number; agreedPrice: string; isPaidFirst: boolean; openings: { kind: string; start: string }[] }[]
  }
  expect(shops.map((each) => each.shopId)).not.toContain(shopId)
  const [first] = shops
  const start = first?.openings.find(({ kind }) => kind === 'wait')?.start
  expect(await api(`/${first?.shopId}`, { start, agreedPrice: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'PriceChanged' },
  })
  expect(await api(`/${first?.shopId}`, { agreedPrice: first?.agreedPrice })).toMatchObject({ status: 400 })
  for (let time = 0; time < 2; time += 1) {
    const taken = await api(`/${first?.shopId}`, { start, agreedPrice: first?.agreedPrice })
    expect(taken).toMatchObject({ status: 200, body: { isDone: first?.isPaidFirst === false } })
    expect(taken.body['payAt'] === null).toBe(first?.isPaidFirst === false)
  }
  expect((await bookingOf(orderId)).shopId).toBe(first?.shopId)
})
