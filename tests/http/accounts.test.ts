/** Signing in and out at the sandbox's provider, over sockets, as a browser without script. */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const signIn = (visitor: Visitor, back = '/cart', email = 'dana@example.com') =>
  signInAt(store.origin, visitor, { back, email })

const addressOf = ({ url }: { url: URL }) => url.href.replace(store.origin, '')

test('signing in returns to the previous page, with one cookie that scripts cannot read', async () => {
  const visitor = createVisitor()
  const landed = await signIn(visitor, '/tire-sizes/225-65r17?page=2')
  expect(addressOf(landed)).toBe('/tire-sizes/225-65r17?page=2')
  expect(landed.response.status).toBe(200)
  expect(landed.response.headers.get('cache-control')).toBe('private, no-store')
  const cookie = visitor.cookie('sw_session')
  expect(cookie?.attributes.split('; ').sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])
  expect(await landed.response.text()).toContain('<span>Dana</span>')
})

test('two tabs signing in return to their pages and share one session', async () => {
  const visitor = createVisitor()
  const tabs = [
    await visitor.follow(`${store.origin}/sign-in`, { form: { back: '/brands' } }),
    await visitor.follow(`${store.origin}/sign-in`, { form: { back: '/tire-deals' } }),
  ]
  const sessions = []
  for (const [index, tab] of tabs.entries()) {
    const action = await visitor.formAction(tab.response, '/login')
    const landed = await visitor.follow(new URL(action, tab.url), {
      form: { email: 'paula@example.com', password: 'sidewall-demo' },
    })
    expect(addressOf(landed)).toBe(['/brands', '/tire-deals'][index])
    sessions.push(visitor.cookie('sw_session')?.value ?? '')
  }
  expect(await (await visitor.ask(`${store.origin}/account`)).text()).not.toMatch(/name="session"/)
  visitor.setCookie('localhost', 'sw_session', sessions[0] ?? '')
  expect((await visitor.ask(`${store.origin}/account`)).status).toBe(303)
})

test('without the hidden field, the referrer is the return page', async () => {
  const visitor = createVisitor()
  const asked = await visitor.ask(`${store.origin}/sign-in`, {
    form: {},
    headers: { referer: `${store.origin}/tire-deals?brand=x` },
  })
  const login = await visitor.follow(asked.headers.get('location') ?? '')
  const action = await visitor.formAction(login.response, '/login')
  const landed = await visitor.follow(new URL(action, login.url), {
    form: { email: 'dana@example.com', password: 'sidewall-demo' },
    stops: ({ pathname }) => pathname === '/tire-deals',
  })
  expect(addressOf(landed)).toBe('/tire-deals?brand=x')
})

test.for(['//evil.test', 'https://evil.test/', '/\\evil.test', '/\t/evil.test', 'javascript:alert(1)'])(
  'nobody is redirected to %s',
  async (back) => {
    const landed = await signIn(createVisitor(), back)
    expect(landed.url.origin).toBe(store.origin)
    expect(landed.url.pathname).toBe('/')
  },
)

test.for<[string, Record<string, string>]>([
  ['a state nobody sent', { code: 'x', state: 'x'.repeat(32) }],
  ['no state', { code: 'x' }],
  ['nothing', {}],
])('a response with %s signs nobody in, and says what to do', async ([, query]) => {
  const visitor = createVisitor()
  const answer = await visitor.ask(`${store.origin}/api/sso-landing?${new URLSearchParams(query).toString()}`)
  expect(answer.status).toBe(400)
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await answer.text()).toContain('Start again')
})

test('another browser’s sign-in response doesn’t sign in', async () => {
  const victim = createVisitor()
  const attacker = createVisitor()
  const asked = await attacker.follow(`${store.origin}/sign-in`, { form: { back: '/' } })
  const action = await attacker.formAction(asked.response, '/login')
  const { url } = await attacker.follow(new URL(action, asked.url), {
    form: { email: 'lee@example.com', password: 'sidewall-demo' },
    stops: ({ pathname }) => pathname === '/api/sso-landing',
  })
  expect((await victim.ask(url)).status).toBe(400)
  expect(victim.cookie('sw_session')).toBeUndefined()
})

test('a guest’s document stays byte-identical during other sign-ins', async () => {
  const read = async (address: string) => {
    const answer = await fetch(address)
    expect(answer.headers.get('cache-control')).toContain('s-maxage')
    return [await answer.text(), answer.headers.getSetCookie()]
  }
  const pages = ['/', '/brands', '/tire-sizes/225-65r17']
  const before = await Promise.all(pages.map((page) => read(store.origin + page)))
  const visitor = createVisitor()
  await signIn(visitor)
  for (const page of pages)
    expect(await (await visitor.ask(`${store.origin}${page}`)).text()).toContain('<span>Dana</span>')
  expect(await Promise.all(pages.map((page) => read(store.origin + page)))).toEqual(before)
  // And in a process with an empty page cache.
  await store.revive('second')
  expect(await Promise.all(pages.map((page) => read(store.secondOrigin + page)))).toEqual(before)
})

test('signing out invalidates the session and its old cookie', async () => {
  const visitor = createVisitor()
  await signIn(visitor)
  const kept = visitor.cookie('sw_session')?.value ?? ''
  visitor.setCookie('localhost', 'sw_zip', '60614')
  const out = await visitor.ask(`${store.origin}/sign-out`, { form: {} })
  expect(out.status).toBe(303)
  expect(new URL(out.headers.get('location') ?? '').pathname).toBe('/identity/logout')
  expect(visitor.cookie('sw_session')).toBeUndefined()
  expect(visitor.cookie('sw_zip')?.value).toBe('60614')
  visitor.setCookie('localhost', 'sw_session', kept)
  expect(await (await visitor.ask(`${store.origin}/`)).text()).not.toContain('Dana')
})

test('a link or cross-site form can’t sign a user out', async () => {
  const visitor = createVisitor()
  await signIn(visitor)
  await visitor.follow(`${store.origin}/sign-out`)
  expect(
    (await visitor.ask(`${store.origin}/sign-out`, { form: {}, headers: { origin: 'https://evil.test' } })).status,
  ).toBe(403)
  expect(await (await visitor.ask(`${store.origin}/`)).text()).toContain('Dana')
})

test.for([
  'x',
  '00000000-0000-4000-8000-000000000000.x',
  `00000000-0000-4000-8000-000000000000.${'x'.repeat(43)}`,
  "'; drop table account; --",
])('an invalid session cookie means a guest: %s', async (value) => {
  const visitor = createVisitor()
  visitor.setCookie('localhost', 'sw_session', encodeURIComponent(value))
  const answer = await visitor.ask(`${store.origin}/`)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('Create an account')
})

test('registering returns signed in; going back returns to the previous page, not signed in', async () => {
  const visitor = createVisitor()
  const asked = await visitor.follow(`${store.origin}/register`, { form: { back: '/brands' } })
  expect(asked.url.pathname).toMatch(/\/register$/)
  const gone = await visitor.follow(new URL(await visitor.formAction(asked.response, '/abort'), asked.url), {
    form: {},
  })
  expect(addressOf(gone)).toBe('/brands')
  expect(visitor.cookie('sw_session')).toBeUndefined()
  const again = await visitor.follow(`${store.origin}/register`, { form: { back: '/brands' } })
  const landed = await visitor.follow(new URL(await visitor.formAction(again.response, '/register'), again.url), {
    form: { name: 'Ann Smith', email: 'ann@example.com', password: 'ten letters' },
  })
  expect(addressOf(landed)).toBe('/brands')
  expect(await landed.response.text()).toContain('<span>Ann</span>')
})

test('the account page requires signing in; changes at the provider show on return', async () => {
  const visitor = createVisitor()
  const stranger = await visitor.ask(`${store.origin}/account`)
  expect(stranger.status).toBe(303)
  expect(stranger.headers.get('location')).toBe('/sign-in?back=%2Faccount')
  const landed = await signIn(visitor, '/account')
  const html = await landed.response.text()
  expect(html).toContain('dana@example.com')
  const page = /href="([^"]+edit-profile[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const changed = await visitor.follow(page, { form: { name: 'Dana Maria Ruiz' } })
  expect(addressOf(changed)).toBe('/account')
  expect(await changed.response.text()).toContain('Dana Maria Ruiz')
  await visitor.ask(page, { form: { name: 'Dana Ruiz' } })
})

test('signing out everywhere else leaves only this browser signed in', async () => {
  const [here, there] = [createVisitor(), createVisitor()]
  await signIn(here)
  await signIn(there)
  expect(await (await here.ask(`${store.origin}/account`, { form: {} })).text()).toContain('You are signed out on')
  expect((await there.ask(`${store.origin}/account`)).status).toBe(303)
  expect((await here.ask(`${store.origin}/account`)).status).toBe(200)
})

test('each browser is named and can be signed out separately, but not another account’s', async () => {
  const [here, there, stranger] = [createVisitor(), createVisitor(), createVisitor()]
  await signIn(here)
  await here.ask(`${store.origin}/account`, { form: {} })
  await signIn(there)
  await signIn(stranger, '/account', 'lee@example.com')
  const html = await (await here.ask(`${store.origin}/account`)).text()
  const others = [...html.matchAll(/<button[^>]*name="session"[^>]*>/g)].map(
    ([button]) => /value="([^"]+)"/.exec(button)?.[1],
  )
  expect(others).toHaveLength(1)
  expect(html).toContain('This browser')

  const form = { session: others[0] ?? '' }
  expect(await (await stranger.ask(`${store.origin}/account`, { form })).text()).toContain(
    'You have no other active sessions',
  )
  expect((await there.ask(`${store.origin}/account`)).status).toBe(200)
  expect(await (await here.ask(`${store.origin}/account`, { form })).text()).toContain(
    'You are signed out on 1 other browser',
  )
  expect((await there.ask(`${store.origin}/account`)).status).toBe(303)
  expect((await here.ask(`${store.origin}/account`)).status).toBe(200)
})

test('a network’s sign-ins are limited with a retry time, without affecting others', async () => {
  await using alone = await startStore({ env: { PROXY_HOPS: '1' } })
  const from = (address: string) =>
    createVisitor().ask(`${alone.origin}/sign-in`, { form: { back: '/' }, headers: { 'x-forwarded-for': address } })
  // Addresses of one /64 are one network.
  for (let count = 0; count < rateLimits['sign-in'].counts.network; count += 1)
    expect((await from(`2001:db8::${count.toString(16)}`)).status).toBe(303)
  const refused = await from('2001:db8::ffff')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toSatisfy(
    (seconds: number) => seconds > 0 && seconds <= rateLimits['sign-in'].minutes * 60,
  )
  expect(await refused.text()).toContain('There were too many sign-ins from your network')
  expect((await from('2001:db8:0:1::1')).status).toBe(303)
})

test('one tap returns like any sign-in; a badly signed credential is refused, and so is another site', async () => {
  const visitor = createVisitor()
  const frame = await visitor.ask(`${store.sandboxOrigin}/identity/google/one-tap`, {
    form: { email: 'dana@example.com' },
  })
  const credential = /data-value="([^"]+)"/.exec(await frame.text())?.[1] ?? ''
  const foreign = await visitor.ask(`${store.origin}/sign-in`, {
    form: { credential },
    headers: { origin: store.sandboxOrigin },
  })
  expect(foreign.status).toBe(403)
  const refused = await visitor.ask(`${store.origin}/sign-in`, {
    form: { back: '/brands', credential: `${credential}x` },
  })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('Sign in with your email instead')
  const landed = await visitor.follow(`${store.origin}/sign-in`, { form: { back: '/brands', credential } })
  expect(addressOf(landed)).toBe('/brands')
  expect(await landed.response.text()).toContain('<span>Dana</span>')
})

test('during a provider outage the store shows a notice and works', async () => {
  await using alone = await startStore({
    env: { OIDC_ISSUER: 'http://localhost:9', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' },
  })
  const answer = await createVisitor().ask(`${alone.origin}/sign-in`, { form: { back: '/' } })
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('is not responding right now')
  expect((await fetch(`${alone.origin}/`)).status).toBe(200)
})
