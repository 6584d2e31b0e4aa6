import { createServer } from 'node:http'
import AxeCore from 'axe-core'
import type { FrameLocator, Page } from 'playwright-core'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { launchBrowser } from '#tests/support/browser.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { startTestSandbox, testSecrets, type TestSandbox } from '../test-sandbox.ts'

const [port = 0] = await freePorts(3)
const timeout = 60_000

/** Opens a checkout page at the store's origin that frames the card fields and records their messages. */
async function openCheckout(
  sandbox: TestSandbox,
  page: Page,
): Promise<{
  intentId: string
  fields: FrameLocator
  tell(type: string): Promise<void>
  told(type: string): Promise<unknown[]>
}> {
  const stripe = new Stripe(testSecrets.stripeSecretKey, { host: '127.0.0.1', port, protocol: 'http' })
  const intent = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd', capture_method: 'manual' })
  const query = new URLSearchParams({ client_secret: intent.client_secret ?? '', origin: sandbox.storeOrigin })
  const html = `<!doctype html>
    <script>told = []; addEventListener('message', (event) => { if (event.origin === '${sandbox.origin}') told.push(event.data) })</script>
    <iframe title="Card" width="400" height="500" src="${sandbox.origin}/fields?${query.toString()}"></iframe>`
  // A real server because Chromium doesn't allow a page from an unknown network to frame one on this machine.
  const store = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => store.listen(port + 2, '127.0.0.1', resolve))
  await page.goto(`${sandbox.storeOrigin}/checkout`)
  store.close()
  store.closeAllConnections()
  return {
    intentId: intent.id,
    fields: page.frameLocator('iframe'),
    tell: (type) =>
      page.evaluate(
        ([to, message]) => frames[0]?.postMessage({ to: 'sidewall-fields', type: message }, to ?? ''),
        [sandbox.origin, type],
      ),
    async told(type) {
      const all = await page.evaluate<{ from: string; type: string }[]>('told')
      return all.filter((message) => message.from === 'sidewall-fields' && message.type === type)
    },
  }
}

async function typeCard(fields: FrameLocator, number: string): Promise<void> {
  await fields.getByLabel('Card number').fill(number)
  await fields.getByLabel('Expiration (MM/YY)').fill('12/30')
  await fields.getByLabel('Security code').fill('123')
  await fields.getByLabel('Billing ZIP code').fill('60601')
}

test('a card typed into the frame pays, and the store is notified without the number', { timeout }, async () => {
  await using sandbox = await startTestSandbox(port)
  await using browser = await launchBrowser()
  const page = await browser.newPage()
  const { fields, tell, told } = await openCheckout(sandbox, page)
  await expect.poll(() => told('ready')).toHaveLength(1)
  await expect.poll(() => told('height')).not.toEqual([])

  await fields.getByLabel('Card number').fill('4242 4242 4242 4241')
  await fields.getByLabel('Expiration (MM/YY)').focus()
  await fields.getByText('The card number is not valid').waitFor()
  await expect
    .poll(async () => (await told('change')).at(-1))
    .toMatchObject({ complete: false, error: 'The card number is not valid' })
  await tell('confirm')
  await expect
    .poll(() => told('result'))
    .toEqual([{ from: 'sidewall-fields', type: 'result', status: 'failed', error: 'The card number is not valid' }])
  await fields.getByText('Please fill out an expiration date').waitFor()

  await typeCard(fields, '4242 4242 4242 4242')
  await expect.poll(async () => (await told('change')).at(-1)).toMatchObject({ complete: true, error: null })
  await tell('confirm')
  await expect.poll(async () => (await told('result')).at(-1)).toMatchObject({ status: 'authorized', error: null })
  expect(JSON.stringify(await page.evaluate('told'))).not.toContain('4242')
})

test('a declined card shows the reason, and a broken connection isn’t a decline', { timeout }, async () => {
  await using sandbox = await startTestSandbox(port)
  await using browser = await launchBrowser()
  const { fields, tell, told } = await openCheckout(sandbox, await browser.newPage())
  await typeCard(fields, '4000 0000 0000 0069')
  await tell('confirm')
  await expect
    .poll(() => told('result'))
    .toMatchObject([{ status: 'failed', error: 'This card has expired. Try another card.' }])
  await typeCard(fields, '4000 0000 0000 9003')
  await tell('confirm')
  await expect.poll(async () => (await told('result')).at(-1)).toMatchObject({ status: 'unknown' })
  await tell('confirm')
  await expect.poll(async () => (await told('result')).at(-1)).toMatchObject({ status: 'authorized' })
})

test('the bank’s challenge is completed inside the frame', { timeout }, async () => {
  await using sandbox = await startTestSandbox(port)
  await using browser = await launchBrowser()
  const { fields, tell, told } = await openCheckout(sandbox, await browser.newPage())
  await typeCard(fields, '4000 0025 0000 3155')
  await tell('confirm')
  await fields.getByRole('button', { name: 'It is not me' }).click()
  await expect.poll(() => told('result')).toMatchObject([{ status: 'failed' }])
  await typeCard(fields, '4000 0025 0000 3155')
  await tell('confirm')
  await fields.getByRole('button', { name: 'Approve' }).click()
  await expect.poll(async () => (await told('result')).at(-1)).toMatchObject({ status: 'authorized' })
})

test('only the embedding store can make the fields pay', { timeout }, async () => {
  await using sandbox = await startTestSandbox(port)
  await using browser = await launchBrowser()
  const page = await browser.newPage()
  const { fields, told } = await openCheckout(sandbox, page)
  await typeCard(fields, '4242 4242 4242 4242')
  // A message from the frame itself isn't from the parent, regardless of its content.
  await page.frames()[1]?.evaluate(() => postMessage({ to: 'sidewall-fields', type: 'confirm' }, '*'))
  await fields.getByLabel('Card number').press('Enter')
  await expect.poll(() => told('submit')).toHaveLength(1)
  expect(await told('result')).toEqual([])
})

test('the pages have no accessibility violations', { timeout }, async () => {
  await using sandbox = await startTestSandbox(port)
  await using browser = await launchBrowser()
  const stripe = new Stripe(testSecrets.stripeSecretKey, { host: '127.0.0.1', port, protocol: 'http' })
  const intent = await stripe.paymentIntents.create({
    amount: 5000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
  })
  const asked = await stripe.paymentIntents.create({
    amount: 5000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_authenticationRequired',
  })
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      { quantity: 1, price_data: { currency: 'usd', unit_amount: 5000, product_data: { name: '4 tires' } } },
    ],
    success_url: sandbox.storeOrigin,
  })
  const fields = `/fields?${new URLSearchParams({ client_secret: asked.client_secret ?? '', origin: sandbox.storeOrigin }).toString()}`
  const challenge = asked.next_action?.redirect_to_url?.url ?? ''
  const page = await browser.newPage()
  for (const url of [
    '/',
    '/payments',
    `/payments/${intent.id}`,
    `/pay/${session.id}`,
    fields,
    '/mailbox',
    '/carrier',
    challenge,
  ]) {
    await page.goto(new URL(url, sandbox.origin).href)
    const { violations } = await page.evaluate<AxeCore.AxeResults>(
      `${AxeCore.source}; axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })`,
    )
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      url,
    ).toEqual([])
  }
})
