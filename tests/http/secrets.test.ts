/** A complete journey with all process output captured, then searched for anything that must not be there. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderKey } from '#domain/ordering/orders/order-access.server.ts'
import { readConfig } from '#platform/config.ts'
import { unseal } from '#platform/sealing.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { eventually } from '#tests/support/eventually.ts'
import { mailFor } from '#tests/support/mailbox.ts'
import { createVisitor } from '#tests/support/visitor.ts'
import { openStartedStore, type StartedStore } from '../faults/started-store.ts'

const passwords = { right: 'sidewall-demo', wrong: 'a mistyped password' }
const card = { good: '4242424242424242', declined: '4000000000000002' }
const typed = { email: 'zebediah.quill@example.com', phone: '3129985501', name: 'Zebediah' }

let store: StartedStore
beforeAll(async () => {
  store = await openStartedStore({ env: { LOG_LEVEL: 'debug', RELEASE_AFTER_SECONDS: '0' } })
})
afterAll(() => store[Symbol.asyncDispose]())

test('no process logs a secret, a card number or an email address', async () => {
  const { origin, sandboxOrigin, db } = store
  const config = readConfig({ DATABASE_URL: store.database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const { session, payments, carrier, identity } = config.value
  const secrets = new Map<string, string>()
  const note = (what: string, value: string | null | undefined) => {
    expect((value ?? '').length, what).toBeGreaterThanOrEqual(8)
    secrets.set(what, value ?? '')
  }

  // Sign in: a wrong password, the right one, one tap, and an unsolicited response.
  const visitor = createVisitor()
  const asked = await visitor.follow(`${origin}/sign-in`, { form: { back: '/account' } })
  note(
    'state',
    asked.url.searchParams.get('state') ??
      new URL(asked.response.url).searchParams.get('state') ??
      (await newestState()),
  )
  note('browser key', visitor.cookie('sw_sign_in')?.value)
  const action = new URL(await visitor.formAction(asked.response, '/login'), asked.url)
  await visitor.ask(action, { form: { email: 'dana@example.com', password: passwords.wrong } })
  const landing = await visitor.follow(action, {
    form: { email: 'dana@example.com', password: passwords.right },
    stops: ({ pathname }) => pathname === '/api/sso-landing',
  })
  note('code', landing.url.searchParams.get('code'))
  await visitor.follow(landing.url)
  note('session', visitor.cookie('sw_session')?.value)
  note('session secret', visitor.cookie('sw_session')?.value.split('.')[1])
  await visitor.ask(landing.url)
  const frame = await createVisitor().ask(`${sandboxOrigin}/identity/google/one-tap`, {
    form: { email: 'dana@example.com' },
  })
  const credential = /data-value="([^"]+)"/.exec(await frame.text())?.[1] ?? ''
  note('credential', credential)
  const tapped = createVisitor()
  const atProvider = await tapped.follow(`${origin}/sign-in`, {
    form: { back: '/', credential },
    stops: ({ searchParams }) => searchParams.has('jwt_token'),
  })
  note('one-time code', atProvider.url.searchParams.get('jwt_token'))
  await tapped.follow(atProvider.url)
  await tapped.ask(`${origin}/sign-in`, { form: { back: '/', credential: `${credential}x` } })
  for (const { tokens } of await db.selectFrom('account_session').select('tokens').execute()) {
    const { access, refresh, id } = JSON.parse(unseal(session.secret, 'tokens', tokens) ?? '{}') as Record<
      string,
      string
    >
    note(`access ${secrets.size}`, access)
    note(`id ${secrets.size}`, id)
    if (refresh) note(`refresh ${secrets.size}`, refresh)
  }

  // Pay with a card that is declined and one that is not; order, be charged and shipped; look the order up, incorrectly
  // and correctly.
  const ready = await store.prepare(typed.email)
  const headers = { origin, cookie: `sw_cart=${ready.cartId}` }
  const pay = (intent: string) =>
    fetch(`${origin}/checkout/payments/card`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ intent }),
      redirect: 'manual',
    })
  await pay('another')
  const clientSecret = /pi_\w+?_secret_\w+/.exec(await (await pay('open')).text())?.[0]
  note('client secret', clientSecret)
  const sandbox = { origin: sandboxOrigin, storeOrigin: origin }
  await payWithFields(sandbox, clientSecret ?? '', card.declined)
  await payWithFields(sandbox, clientSecret ?? '', card.good)
  await pay('settle')
  const placed = await store.press(ready)
  if (!('orderId' in placed)) throw new Error(placed.text)
  await eventually('mail about the parcel', async () =>
    (await mailFor({ ...store, sandboxOrigin }, typed.email)).some(({ subject }) => subject.includes('way')),
  )
  const key = orderKey(session.secret, placed.orderId, Temporal.Now.instant())
  note('key of the order', key)
  await fetch(`${origin}/track-your-order/result?order=${placed.orderId}&key=${key}`)
  for (const zip of ['99999', '60614'])
    await visitor.ask(`${origin}/track-your-order`, { form: { order: `S-${placed.orderId}`, zip } })

  // Write to the store; then everything fails: in a page, in the API, in a job.
  const message = new FormData()
  const fields = {
    firstName: typed.name,
    lastName: 'Quill',
    email: typed.email,
    phone: typed.phone,
    subject: 'Does it fit?',
    message: 'Hello',
  }
  for (const [name, value] of Object.entries(fields)) message.set(name, value)
  await fetch(`${origin}/contact`, { method: 'POST', body: message, headers: { origin }, redirect: 'manual' })
  await sql`alter table support_request add constraint never check (length(email) < 3) not valid`.execute(db)
  message.set('message', 'Hello again')
  expect(
    (await fetch(`${origin}/contact`, { method: 'POST', body: message, headers: { origin }, redirect: 'manual' }))
      .status,
  ).toBe(503)
  await sql`alter table account_search rename to account_search_away`.execute(db)
  expect((await visitor.ask(`${origin}/account/data.json`)).status).toBe(500)
  expect(
    (await visitor.ask(`${origin}/api/users/me/history/search`, { headers: { accept: 'application/json' } })).status,
  ).toBe(500)
  for (let count = 0; count < 7; count += 1)
    await visitor.ask(`${origin}/track-your-order`, { form: { order: `S-${placed.orderId}`, zip: '99998' } })
  await visitor.ask(`${origin}/sign-out`, { form: {}, headers: { origin: 'https://evil.test' } })
  await visitor.ask(`${origin}/sign-out`, { form: {} })

  // All successes and failures were logged. A process responds before its last lines arrive.
  const events = [
    'signed in',
    'a sign-in came to nothing',
    'signed out',
    'one try too many',
    'a form came from elsewhere',
  ].map((event) => `"msg":"${event}"`)
  for (const words of ['"path":"/sign-in"', ...events, 'violates check constraint'])
    await eventually(`${words} in the log of the web process`, async () => store.output('web').includes(words))
  await eventually('mail in the log of the worker', async () => store.output('worker').includes('"job":"send-message"'))
  const logs = (['web', 'worker', 'sandbox'] as const).map((name) => [name, store.output(name)] as const)

  const rest = {
    ...passwords,
    ...card,
    ...typed,
    dana: 'dana@example.com',
    sessionSecret: session.secret,
    stripeKey: payments.secretKey,
    webhookSecret: payments.webhookSecret,
    carrierKey: carrier.apiKey,
    carrierSecret: carrier.callbackSecret,
    clientSecretOfStore: identity?.clientSecret,
    database: new URL(store.database.url).password,
  }
  for (const [what, values] of Object.entries(rest))
    for (const value of [values].flat()) if (value) secrets.set(what, value)
  const found = logs.flatMap(([name, text]) =>
    [...secrets]
      .filter(([, value]) => text.includes(value) || text.includes(encodeURIComponent(value)))
      .map(([what]) => `${what} in ${name}`),
  )
  expect(found).toEqual([])

  async function newestState(): Promise<string> {
    return (
      await db
        .selectFrom('sign_in_attempt')
        .select('state')
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
    ).state
  }
})
