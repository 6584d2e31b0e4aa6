/** The sales tax has the same label and footnote on every page, in emails, receipts, the API and the office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '#content/paths.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { agree, authorizeCard, fillHomeCart, succeed } from '#tests/support/order-by-api.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

/** Illinois is taxed at its base rate until rates by ZIP are imported. */
const label = 'Estimated sales tax'
const footnote = 'State rate, without local tax'

const text = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(new URL(path, store.origin))).text())
    .replaceAll(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** The places that lack label or footnote, or call the tax by another name. */
function wrongPlaces(places: Readonly<Record<string, string>>): string[] {
  return Object.entries(places).flatMap(([place, words]) => [
    ...(words.includes(label) ? [] : [`${place}: no label`]),
    ...(words.includes(footnote) ? [] : [`${place}: no footnote`]),
    ...(/(?<!Estimated )\bSales tax\b|\bTaxes?(?= \$)/.test(words.replaceAll('href="/office/sales-tax"', ''))
      ? [`${place}: another label`]
      : []),
  ])
}

test('from the tire’s page to the receipt, every place has the label and the footnote', async () => {
  const visitor = createVisitor()
  const email = 'tax.label@example.com'
  const { agreedPrice } = await fillHomeCart(store, visitor, { contact: { email } })
  const cart = await text(visitor, paths.cart())
  const link = /"(\/brands\/[^"]+\/p\/\d+)"/.exec(
    await (await visitor.ask(new URL(paths.cart(), store.origin))).text(),
  )?.[1]
  const product = await text(visitor, link ?? '')
  const payment = await text(visitor, paths.checkoutPayments())
  const price = JSON.stringify(await succeed(store, visitor, 'GET', '/cart/price'))
  await authorizeCard(store, visitor)
  const review = await text(visitor, paths.orderSummary())
  const orderId = await agree(store, visitor, agreedPrice)
  const mail = await newestMail(store, email, `S-${orderId}`)
  const staff = createVisitor()
  await signInToOffice(store.origin, staff, { email: 'support@example.com' })
  const receipt = await visitor.ask(linkIn(mail, '/Receipt_'))
  const office = await text(staff, `/office/orders/${orderId}`)
  expect(
    wrongPlaces({
      product,
      cart,
      payment,
      review,
      'price in the API': price,
      'order in the API': JSON.stringify(await succeed(store, visitor, 'GET', `/orders/${orderId}`)),
      confirmation: await text(visitor, `/checkout/order-confirmation?order=${orderId}`),
      'order email as text': mail.text,
      'order email as HTML': (mail.html ?? '').replaceAll(/<[^>]*>/g, ' '),
      'order page': await text(visitor, linkIn(mail, '/track-your-order/result')),
      // The office's menu has a section of this name.
      office: office.replaceAll(/<nav[\s\S]*?<\/nav>/g, ''),
      receipt: readPdf(new Uint8Array(await receipt.arrayBuffer())),
    }),
  ).toEqual([])
})
