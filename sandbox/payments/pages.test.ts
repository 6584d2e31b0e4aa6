import { Script } from 'node:vm'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { freePorts } from '#tests/support/free-ports.ts'
import { payWithFields, startTestSandbox, testSecrets, type TestSandbox } from '../test-sandbox.ts'

const [port = 0] = await freePorts(3)

function stripe(): Stripe {
  return new Stripe(testSecrets.stripeSecretKey, { host: '127.0.0.1', port, protocol: 'http' })
}

async function newIntent(): Promise<{ id: string; clientSecret: string }> {
  const intent = await stripe().paymentIntents.create({ amount: 123_456, currency: 'usd', capture_method: 'manual' })
  return { id: intent.id, clientSecret: intent.client_secret ?? '' }
}

function newSession(description: string): Promise<Stripe.Checkout.Session> {
  return stripe().checkout.sessions.create({
    mode: 'payment',
    line_items: [
      { quantity: 4, price_data: { currency: 'usd', unit_amount: 12_000, product_data: { name: description } } },
    ],
    payment_intent_data: { capture_method: 'manual' },
    success_url: 'http://store.example/thanks?page={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://store.example/cart',
  })
}

function fieldsUrl(sandbox: TestSandbox, clientSecret: string, origin = sandbox.storeOrigin): string {
  return `${sandbox.origin}/fields?${new URLSearchParams({ client_secret: clientSecret, origin }).toString()}`
}

function post(url: string, form: Record<string, string>, origin = new URL(url).origin): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual', headers: { origin } })
}

const goodCard = { email: 'ann@example.com', number: '4242 4242 4242 4242', expiry: '12/30', cvc: '123', zip: '60601' }

test('card fields are labeled, support autofill, and can be framed only by the store', async () => {
  await using sandbox = await startTestSandbox(port)
  const response = await fetch(fieldsUrl(sandbox, (await newIntent()).clientSecret))
  const html = await response.text()
  expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${sandbox.storeOrigin}`)
  expect(html).toContain('Sandbox: no real money')
  for (const [id, autocomplete] of [
    ['number', 'cc-number'],
    ['expiry', 'cc-exp'],
    ['cvc', 'cc-csc'],
    ['zip', 'billing postal-code'],
  ]) {
    expect(html).toMatch(new RegExp(`<label for="${id}">`))
    expect(html).toMatch(new RegExp(`<input\\s+id="${id}"[^>]*autocomplete="${autocomplete}"[^>]*inputmode="numeric"`))
  }
  // Without script, a form would put the number into a URL.
  expect(html).not.toContain('<form')
})

test('the card fields are shown only for this sandbox’s payments and to its store', async () => {
  await using sandbox = await startTestSandbox(port)
  const { clientSecret } = await newIntent()
  expect((await fetch(fieldsUrl(sandbox, clientSecret, 'http://thief.example'))).status).toBe(400)
  expect((await fetch(fieldsUrl(sandbox, `${clientSecret}x`))).status).toBe(400)
  expect((await fetch(`${sandbox.origin}/fields`)).status).toBe(400)
})

test('the browser runs the server’s own check, as self-contained code', async () => {
  await using sandbox = await startTestSandbox(port)
  const script = await (await fetch(`${sandbox.origin}/fields/script.js`)).text()
  expect(script).toContain('The card number is not valid')
  expect(script).not.toMatch(/\bimport\b|__vi_|__vite/)
  expect(() => new Script(script)).not.toThrow()
})

test('the fields refuse an incomplete card before asking the bank', async () => {
  await using sandbox = await startTestSandbox(port)
  const { id, clientSecret } = await newIntent()
  expect(await payWithFields(sandbox, clientSecret, '4242')).toEqual({
    status: 'failed',
    error: 'The card number is not valid',
  })
  expect(await stripe().paymentIntents.retrieve(id)).toMatchObject({ latest_charge: null })
})

test('a number other than a test card is declined, and no number is stored', async () => {
  await using sandbox = await startTestSandbox(port)
  const { id, clientSecret } = await newIntent()
  expect(await payWithFields(sandbox, clientSecret, '4111 1111 1111 1111')).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('only its own test cards'),
  })
  const board = await (await fetch(`${sandbox.origin}/payments/${id}`)).text()
  expect(board).toContain('ending in 1111')
  expect(board).not.toContain('41111111')
})

test('on the bank’s page, approving the challenge authorizes and refusing it declines', async () => {
  await using sandbox = await startTestSandbox(port)
  const { id, clientSecret } = await newIntent()
  const asked = await payWithFields(sandbox, clientSecret, '4000 0025 0000 3155')
  expect(asked).toMatchObject({ status: 'challenge' })
  const challengeUrl = asked.url ?? ''
  const challenge = await fetch(challengeUrl)
  expect(challenge.headers.get('content-security-policy')).toContain(`frame-ancestors ${sandbox.storeOrigin}`)
  expect(await challenge.text()).toContain('$1,234.56')
  const refused = await post(challengeUrl, { answer: 'refuse' })
  expect(refused.status).toBe(303)
  expect(await (await fetch(refused.headers.get('location') ?? '')).text()).toContain('data-outcome="failed"')
  expect(await stripe().paymentIntents.retrieve(id)).toMatchObject({ status: 'requires_payment_method' })

  await payWithFields(sandbox, clientSecret, '4000 0025 0000 3155')
  const approved = await post(challengeUrl, { answer: 'approve' })
  expect(await (await fetch(approved.headers.get('location') ?? '')).text()).toContain('data-outcome="authorized"')
  expect(await stripe().paymentIntents.retrieve(id)).toMatchObject({ status: 'requires_capture' })
  expect((await fetch(challengeUrl)).status).toBe(404)
})

test('changing the amount during a challenge requires the shopper again', async () => {
  await using sandbox = await startTestSandbox(port)
  const { id, clientSecret } = await newIntent()
  const { url = '' } = await payWithFields(sandbox, clientSecret, '4000 0025 0000 3155')
  await stripe().paymentIntents.update(id, { amount: 999_999 })
  await post(url, { answer: 'approve' })
  expect(await stripe().paymentIntents.retrieve(id)).toMatchObject({
    status: 'requires_payment_method',
    amount_capturable: 0,
  })
})

test('the hosted page lists items, retains non-sensitive values, and shows every error at its field', async () => {
  await using _sandbox = await startTestSandbox(port)
  const session = await newSession('<b>4 tires</b>')
  const shown = await (await fetch(session.url ?? '')).text()
  expect(shown).toContain('&lt;b&gt;4 tires&lt;/b&gt;')
  expect(shown).toContain('Pay $480.00')
  const faulty = await post(session.url ?? '', { ...goodCard, number: '4242', expiry: '01/20' })
  const html = await faulty.text()
  expect(faulty.status).toBe(422)
  expect(html).toContain('The card number is not valid')
  expect(html).toContain('This expiration date is not valid')
  expect(html).toContain('value="60601"')
  expect(html).not.toContain('value="4242"')
})

test('the hosted page requests bank authentication, then redirects back with the session ID', async () => {
  await using sandbox = await startTestSandbox(port)
  const session = await newSession('4 tires')
  const asked = await post(session.url ?? '', { ...goodCard, number: '4000 0025 0000 3155' })
  expect(asked.status).toBe(303)
  const approved = await post(asked.headers.get('location') ?? '', { answer: 'approve' })
  const back = await fetch(approved.headers.get('location') ?? '', { redirect: 'manual' })
  expect(back.headers.get('location')).toBe(`http://store.example/thanks?page=${session.id}`)
  expect(await stripe().checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
    url: null,
    payment_intent: { status: 'requires_capture', amount: 48_000 },
  })
  expect(await (await fetch(`${sandbox.origin}/pay/${session.id}`)).text()).toContain('This has been paid')
})

test('a hosted page closes after a day, or when the store closes it', async () => {
  await using sandbox = await startTestSandbox(port)
  const first = await newSession('4 tires')
  const second = await newSession('4 tires')
  expect(await stripe().checkout.sessions.expire(first.id)).toMatchObject({ status: 'expired', url: null })
  await sandbox.pass({ hours: 24 })
  expect(await stripe().checkout.sessions.retrieve(second.id)).toMatchObject({ status: 'expired' })
  for (const { url } of [first, second])
    expect(await (await post(url ?? '', goodCard)).text()).toContain('This payment page has closed')
})

test('a form posted from another site is refused', async () => {
  await using _sandbox = await startTestSandbox(port)
  const session = await newSession('4 tires')
  expect((await post(session.url ?? '', goodCard, 'http://thief.example')).status).toBe(403)
  expect((await post(session.url ?? '', goodCard, 'null')).status).toBe(403)
})

test('the board shows every payment with its refunds and events', async () => {
  await using sandbox = await startTestSandbox(port)
  const intent = await stripe().paymentIntents.create({
    amount: 5000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    metadata: { order: '<i>7' },
  })
  await stripe().refunds.create({ payment_intent: intent.id, amount: 1500 })
  const list = await (await fetch(`${sandbox.origin}/payments`)).text()
  expect(list).toContain(intent.id)
  const one = await (await fetch(`${sandbox.origin}/payments/${intent.id}`)).text()
  for (const words of ['$15.00', 'refund.created', 'payment_intent.succeeded', '&lt;i&gt;7'])
    expect(one).toContain(words)
})

test('no untrusted input makes the sandbox fail', async () => {
  await using sandbox = await startTestSandbox(port)
  const session = await newSession('4 tires')
  const { clientSecret } = await newIntent()
  const secretPath = `/challenge/${encodeURIComponent(clientSecret)}`
  const odd = [
    "'; drop table document; --",
    '%00',
    '%ff',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '<script>',
    '🛞'.repeat(300),
  ]
  for (const value of odd) {
    const path = encodeURIComponent(value)
    for (const url of [
      `/payments/${path}`,
      `/pay/${path}`,
      `/pay/${path}/return`,
      `/challenge/${path}`,
      `/fields?client_secret=${path}&origin=${path}`,
      `/mailbox/${path}`,
      `/mailbox/${path}/html`,
      `/mailbox/${path}/attachments/${path}`,
      `/mailbox?to=${path}`,
      `/mailbox.json?to=${path}`,
      `/carrier/labels/${path}`,
      `/${path}`,
    ]) {
      expect((await fetch(sandbox.origin + url)).status, url).toBeLessThan(500)
    }
  }
  const bodies: [string, BodyInit, string][] = [
    [`/pay/${session.id}`, 'number=%ff%00&expiry[]=x&expiry[]=y', 'application/x-www-form-urlencoded'],
    [`/pay/${session.id}`, '--x\r\nnot a form', 'multipart/form-data; boundary=y'],
    [`/pay/${session.id}`, '{"number":1}', 'application/json'],
    ['/fields/confirm', '{', 'application/json'],
    ['/fields/confirm', 'null', 'application/json'],
    ['/fields/confirm', `{"clientSecret":{"$ne":1}}`, 'application/json'],
    [secretPath, 'answer=%ff', 'application/x-www-form-urlencoded'],
    [secretPath, '\u0000', 'multipart/form-data'],
    ['/carrier/board/x/advance', '', 'text/plain'],
    ['/carrier/board/x/constructor', '', 'text/plain'],
  ]
  for (const [path, body, type] of bodies) {
    const response = await fetch(sandbox.origin + path, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
      redirect: 'manual',
    })
    expect(response.status, `${path} ${type}`).toBeLessThan(500)
  }
})
