/** From payment to receipt, every page, email and file about an order names the card that pays for it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '#content/paths.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { agree, authorizeCard, callApi, fillHomeCart } from '#tests/support/order-by-api.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const card = 'Visa ending in 4242'

test('brand and last four digits are on every page, email and file from the order review to the receipt', async () => {
  const visitor = createVisitor()
  const email = 'card.named@example.com'
  const read = async (path: string) => (await visitor.ask(new URL(path, store.origin))).text()
  const { agreedPrice } = await fillHomeCart(store, visitor, { contact: { email } })
  await authorizeCard(store, visitor)
  const review = await read(paths.orderSummary())
  const orderId = await agree(store, visitor, agreedPrice)
  const mail = await newestMail(store, email, `S-${orderId}`)
  const staff = createVisitor()
  await signInToOffice(store.origin, staff, { email: 'support@example.com' })
  const receipt = await visitor.ask(linkIn(mail, '/Receipt_'))
  const places = {
    review,
    confirmation: await read(`/checkout/order-confirmation?order=${orderId}`),
    'order email as text': mail.text,
    'order email as HTML': mail.html ?? '',
    'order page': await read(linkIn(mail, '/track-your-order/result')),
    office: await (await staff.ask(`${store.origin}/office/orders/${orderId}`)).text(),
    receipt: readPdf(new Uint8Array(await receipt.arrayBuffer())),
  }
  expect(Object.entries(places).flatMap(([place, text]) => (text.includes(card) ? [] : [place]))).toEqual([])
  expect(places.office).toMatch(new RegExp(`>Card<[^]{0,300}${card}`))

  expect((await callApi(store, visitor, 'POST', `/orders/${orderId}/cancellation`)).status).toBeLessThan(300)
  const canceled = await newestMail(store, email, 'Canceled')
  expect(canceled.text).toContain(`Your ${card} is not charged.`)
})
