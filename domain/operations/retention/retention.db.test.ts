import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { accountDeps, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { bringGuest, listSearches } from '#domain/customers/accounts/accounts.server.ts'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import { readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import {
  makePaidCart,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { codeDeps } from '#domain/ordering/orders/orders.testing.ts'
import { selectEmailCopy, selectMailsOfOrder, sendMessage } from '#domain/messaging/messages/messages.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { messageValues } from '#domain/ordering/orders/order-messages.server.ts'
import { askForCode, readCodeAddress } from '#domain/ordering/orders/orders.server.ts'
import { receiveProviderEvent, releaseAbandonedCharges } from '#domain/payments/payments/payments.server.ts'
import { readConfig } from '#platform/config.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { forgetWhatIsOver } from './retention.server.ts'
import { retentionDays } from './retention.ts'
import { fromStripe } from '../../../tests/support/provider-message.ts'

const [port = 0] = await freePorts(3)
const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const { value: config } = read
const day = (days: number) => Temporal.Instant.from(smallDataMadeAt).add({ hours: 24 * days })
const nothing = {
  cartContact: 0,
  cart: 0,
  providerEvent: 0,
  cardDecline: 0,
  paymentNetwork: 0,
  search: 0,
  emailCopy: 0,
  orderCode: 0,
  returnPhoto: 0,
  ownJobPeople: 0,
  shopPicture: 0,
  shopReportPhoto: 0,
  quote: 0,
  contactChange: 0,
  orderApproval: 0,
  earlierTimeWish: 0,
  militaryVerification: 0,
  purchasing: 0,
  removedCard: 0,
  webhook: 0,
  agentSession: 0,
}

async function seen(store: TestStore, cartId: string) {
  const cart = await readCart(store, cartId)
  return (
    cart && { zip: cart.zip, tires: cart.lines.length, hasContact: (await readDetails(store, cartId)).contact !== null }
  )
}

test('an abandoned cart loses its address first, and is then deleted', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const whole = { zip: '60614', tires: 1, hasContact: true }
  store.clock.set(day(retentionDays.cartContact - 1))
  expect(await forgetWhatIsOver(store)).toEqual(nothing)
  expect(await seen(store, cart.id)).toEqual(whole)
  store.clock.set(day(retentionDays.cartContact + 1))
  expect(await forgetWhatIsOver(store)).toEqual({ ...nothing, cartContact: 1 })
  expect(await seen(store, cart.id)).toEqual({ ...whole, hasContact: false })
  store.clock.set(day(retentionDays.cart - 1))
  expect(await forgetWhatIsOver(store)).toEqual(nothing)
  // Returning restarts the period.
  must(
    await addToCart(store, {
      cartId: cart.id,
      lines: [{ itemId: await pickTire(store), quantity: 1, axle: 'all' }],
      zip: null,
      vehicle: null,
    }),
  )
  store.clock.set(day(retentionDays.cart + 1))
  expect(await forgetWhatIsOver(store)).toEqual(nothing)
  store.clock.set(day(2 * retentionDays.cart))
  expect(await forgetWhatIsOver(store)).toEqual({ ...nothing, cart: 1 })
  expect(await seen(store, cart.id)).toBeUndefined()
})

test('a cart with a charge is emptied once the charge can’t be claimed, and orders are retained in full', async () => {
  await using store = await openTestStore(port)
  const { cartId } = await makePaidCart(store, { fulfillment: 'home' })
  const order = await makePlacedOrder(store, { fulfillment: 'home' })
  store.clock.set(day(retentionDays.cart + 1))
  expect(await forgetWhatIsOver(store)).toEqual({ ...nothing, cartContact: 1 })
  expect(await seen(store, cartId)).toMatchObject({ zip: '60614', tires: 1 })
  await releaseAbandonedCharges(store)
  expect(await forgetWhatIsOver(store)).toEqual({ ...nothing, cart: 1 })
  expect(await seen(store, cartId)).toEqual({ zip: null, tires: 0, hasContact: false })
  expect(await forgetWhatIsOver(store)).toEqual(nothing)
  expect(await seen(store, order.cartId)).toEqual({ zip: '60614', tires: 1, hasContact: true })
})

test('provider messages and account searches are deleted after their period', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const people = accountDeps(database.db)
  const { accountId } = await signInAs(people)
  await bringGuest(people, accountId, {
    zip: null,
    compared: [],
    searches: [{ label: '235/65R17', path: '/tire-sizes/235-65r17' }],
    vehicle: null,
    cartId: null,
  })
  await using store = await openTestStore(port)
  const event = { id: 'evt_1', kind: 'payout.paid', charge: null, hostedRef: null, body: {} }
  const told = { ...store, payments: { ...store.payments, readEvent: async () => ({ ok: true as const, event }) } }
  const limits = createRateLimits(store)
  must(await receiveProviderEvent({ ...told, rateLimits: limits }, fromStripe('', '')))
  store.clock.set(day(retentionDays.providerEvent - 1))
  expect(await forgetWhatIsOver(store)).toEqual(nothing)
  store.clock.set(day(retentionDays.providerEvent + 1))
  expect(await forgetWhatIsOver(store)).toEqual({ ...nothing, providerEvent: 1 })

  const searched = people.clock.now()
  const after = (days: number) => ({ db: database.db, clock: { now: () => searched.add({ hours: 24 * days }) } })
  expect(await forgetWhatIsOver(after(retentionDays.search - 1))).toMatchObject({ search: 0 })
  expect(await listSearches(people, accountId)).toHaveLength(1)
  expect(await forgetWhatIsOver(after(retentionDays.search + 1))).toMatchObject({ search: 1 })
  expect(await listSearches(people, accountId)).toEqual([])
})

test('that a code was emailed is forgotten after its period, and no sooner', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const { browserId, look, deps } = codeDeps(store, orderId)
  must(await askForCode(deps, { orderId, look, browserId, from: 'here' }))
  store.clock.set(day(retentionDays.orderCode).subtract({ seconds: 1 }))
  expect(await forgetWhatIsOver(store)).toEqual(nothing)
  expect(await readCodeAddress(store, { orderId, browserId })).not.toBeNull()
  store.clock.set(day(retentionDays.orderCode).add({ seconds: 1 }))
  expect(await forgetWhatIsOver(store)).toEqual({ ...nothing, orderCode: 1 })
  expect(await readCodeAddress(store, { orderId, browserId })).toBeNull()
})

test('a sent email’s content is deleted after its period, but not its record', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const [mail] = await selectMailsOfOrder(store.db, orderId)
  const mailer = { send: async () => ({ ok: true as const }) }
  const values = (message: Parameters<typeof messageValues>[1]) => messageValues({ ...store, config }, message)
  await sendMessage({ ...store, config, mailer }, mail?.id ?? '', values)
  // A month goes as a whole, with the first of it.
  store.clock.set(day(retentionDays.emailCopy - 31))
  expect(await forgetWhatIsOver(store)).toMatchObject({ emailCopy: 0 })
  expect((await selectEmailCopy(store.db, mail?.id ?? ''))?.subject).toContain(orderNumber(orderId))
  store.clock.set(day(retentionDays.emailCopy).add({ seconds: 1 }))
  expect(await forgetWhatIsOver(store)).toMatchObject({ emailCopy: 1 })
  expect((await selectMailsOfOrder(store.db, orderId)).map(({ state }) => state)).toEqual(['sent'])
})

test("the operators' page and the privacy policy state the job's retention periods", async () => {
  const [security, policy, constants] = await Promise.all(
    ['docs/security.md', 'content/policies/privacy-policy.md', 'app/content/constants.server.ts'].map((path) =>
      readFile(path, 'utf8'),
    ),
  )
  for (const [name, days] of Object.entries(retentionDays)) {
    const constant = new RegExp(String.raw`(\w+): String\(retentionDays\.${name}\)`).exec(constants ?? '')?.[1]
    expect(policy).toContain(`{{${constant} day}}`)
    expect(security).toMatch(new RegExp(String.raw`${rows[name as keyof typeof rows]}.* \| ${days} days \|`))
  }
})

const rows: Record<keyof typeof retentionDays, string> = {
  cart: 'open carts, since',
  cartContact: 'name, address, email',
  providerEvent: 'messages of payment provider',
  cardDecline: 'that a card was declined',
  paymentNetwork: 'which network a payment',
  search: 'what an account searched for',
  emailCopy: 'emails as they were sent',
  orderCode: 'that a code was emailed',
  quote: 'a quote that was not ordered',
  contactChange: 'the contact of a customer before',
  orderApproval: 'a request to approve an order',
  returnPhoto: 'photos of returned tires',
  ownJobPeople: 'name and phone in a job of a shop',
  shopPicture: 'a picture from an unsent shop application',
  earlierTimeWish: 'that a shopper waited',
  militaryVerification: 'that an account',
  purchasing: 'what a purchasing system sent',
  removedCard: 'a saved card that its owner removed',
  webhook: 'an event of a webhook',
  agentSession: 'what a shopping agent said',
  shopReportPhoto: 'a shop sent of a job, or with a report of damaged tires or a dispute',
}
