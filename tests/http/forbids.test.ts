/**
 * Security headers of every page in tests/support/pages.ts and a sample of other responses, for guests and known
 * visitors. Reasons are in docs/decisions/004-content-security-policy.md.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paymentPartOf } from '#http/security.ts'
import { remember } from '#http/visitor.ts'
import { readConfig } from '#platform/config.ts'
import { giveCompany } from '#tests/support/company.ts'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { pages, type PageRow } from '#tests/support/pages.ts'
import { startStore } from '#tests/support/store.ts'
import { officeSessionOf, portalSessionOf, sessionOf } from '#tests/support/visitor.ts'
import { inTurn } from '../../tools/rotation.testing.ts'
import { openStartedStore, type StartedStore } from '../faults/started-store.ts'

let store: StartedStore
let order: number
let email: string
let customer: string
/** The cookies of visitors known to the store. */
let known: Record<NonNullable<PageRow['as']>, string>

beforeAll(async () => {
  store = await openStartedStore()
  const [ready, bought] = [await store.prepare(), await store.prepare()]
  const placed = await store.press(bought)
  if (!('orderId' in placed)) throw new Error(placed.text)
  order = placed.orderId
  const message = await store.database.db
    .selectFrom('message')
    .select('id')
    .where('order_id', '=', order)
    .limit(1)
    .executeTakeFirstOrThrow()
  email = message.id
  const buyerOf = store.database.db.selectFrom('sales_order').select('customer_id as id').where('id', '=', order)
  customer = (await buyerOf.executeTakeFirstOrThrow()).id
  const config = readConfig({ DATABASE_URL: store.database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const [member, owner] = [await sessionOf(store.origin), await sessionOf(store.origin, 'lee@example.com')]
  await giveCompany(store.database.db, 'lee@example.com')
  const buyer = `sw_zip=60614; sw_cart=${ready.cartId}; sw_vehicle=1~~~2019~honda~cr-v~~~~2019_Honda_CR-V`
  known = {
    buyer,
    payer: buyer,
    customer: remember(false, config.value.session.secret).orders([order]).split(';')[0] ?? '',
    member,
    owner,
    fleet: await sessionOf(store.origin, 'fern@example.com'),
    seller: await sessionOf(store.origin, 'sam@example.com'),
    staff: await officeSessionOf(store.origin),
    shop: await portalSessionOf(store.origin),
  }
})
afterAll(() => store[Symbol.asyncDispose]())

const rows = inTurn(
  Object.values(pages).flatMap(({ addresses, ...row }) => addresses.map((address) => ({ ...row, address }))),
  { always: ({ address }) => /^\/(?:$|cart|checkout|orders)/.test(address) },
)

test.for(rows)('$address', async ({ address, as, status = 200 }) => {
  const path = address.replace('{order}', String(order)).replace('{email}', email).replace('{customer}', customer)
  const first = await ask(path, as ? known[as] : undefined)
  expect(first.status).toBe(status)
  expect(faultsIn(first)).toEqual([])
  if (as) return
  const zip = await ask(path, 'sw_zip=60614')
  expect(faultsIn(zip)).toEqual([])
  // A nonce is valid once; reading it from one page does not help with another.
  const again = await ask(path, 'sw_zip=60614')
  if (zip.nonces.length > 0) expect(zip.nonces).not.toEqual(again.nonces)
})

test.for([
  '/healthz',
  '/robots.txt',
  '/favicon.svg',
  '/map/lakes.json',
  '/search/suggestions?q=2',
  '/account/data.json',
  '/webhooks/none',
  '/api/user-details',
])('non-HTML responses cannot be interpreted as pages: %s', async (path) => {
  const { headers } = await fetch(`${store.origin}${path}`, { redirect: 'manual' })
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-type') ?? '').not.toMatch(/javascript|ecmascript/)
  expect(headers.get('content-security-policy')).toMatch(/script-src 'none'|default-src 'none'/)
  expect(headers.get('cross-origin-resource-policy')).toBe(path === '/favicon.svg' ? 'cross-origin' : 'same-origin')
})

test('refusals have the same headers as other responses', async () => {
  const post = (headers: Record<string, string>, body = 'zip=1') =>
    fetch(`${store.origin}/zip`, { method: 'POST', body, headers, redirect: 'manual' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const answers = await Promise.all([
    post({ ...form, origin: 'https://evil.test' }),
    post({ ...form, origin: store.origin }),
    post({ ...form, origin: store.origin }, 'x'.repeat(100_000)),
    fetch(`${store.origin}/zip`, { method: 'PUT' }),
    fetch(`${store.origin}/%00`),
  ])
  expect(answers.map(({ status }) => status)).toEqual([403, 422, 413, 405, 400])
  for (const answer of answers) expect(faultsIn(await read(answer))).toEqual([])
})

test('the partner’s part of the store may be framed, but not its missing pages', async () => {
  const { policy, status } = await ask('/widget/none')
  expect(status).toBe(404)
  expect(policy.get('frame-ancestors')).toEqual(["'none'"])
})

test('a store with TLS sends HSTS and secure cookies', async () => {
  await using safe = await startStore({ env: { PUBLIC_ORIGIN: 'https://store.example', ...ownSecrets } })
  const { headers } = await fetch(`${safe.origin}/`)
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  expect((await fetch(`${safe.origin}/robots.txt`)).headers.get('strict-transport-security')).not.toBeNull()
  const body = new URLSearchParams({ zip: '60614' })
  const answer = await fetch(`${safe.origin}/zip`, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { origin: 'https://store.example' },
  })
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^sw_zip=.*; Secure/)])
})

type Asked = Awaited<ReturnType<typeof read>>

async function ask(path: string, cookie?: string): Promise<Asked> {
  return read(
    await fetch(`${store.origin}${path}`, { redirect: 'manual', headers: cookie === undefined ? {} : { cookie } }),
  )
}

async function read(answer: Response) {
  const html = await answer.text()
  const rules = (answer.headers.get('content-security-policy') ?? '').split('; ').map((rule) => rule.split(' '))
  const policy = new Map(rules.map(([name = '', ...sources]) => [name, sources]))
  const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
    .map(([, attributes = '', text = '']) => ({ attributes, text }))
    .filter(({ attributes }) => !attributes.includes('application/ld+json'))
  const nonces = (policy.get('script-src') ?? []).filter((source) => source.startsWith("'nonce-"))
  return { url: answer.url, status: answer.status, headers: answer.headers, html, policy, scripts, nonces }
}

function faultsIn({ url, html, headers, policy, scripts, nonces }: Asked): string[] {
  const faults: string[] = []
  const hashes = new Set<string>()
  for (const { attributes, text } of scripts) {
    const source = / src="([^"]*)"/.exec(attributes)?.[1]
    const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    if (source !== undefined && !source.startsWith('/assets/')) faults.push(`a script from ${source}`)
    if (source !== undefined) continue
    hashes.add(hash)
    const isMarked = nonces.some((nonce) => attributes.includes(` nonce="${nonce.slice(7, -1)}"`))
    if (!isMarked && !policy.get('script-src')?.includes(hash))
      faults.push(`a script that may not run: ${text.slice(0, 60)}`)
  }
  const sources = policy.get('script-src') ?? []
  // The buttons of wallets are the payment provider's script.
  const part = paymentPartOf(new URL(url).pathname)
  const ofWallets = part === 'pay' || part === 'wallets' ? [store.sandboxOrigin] : []
  const expected =
    scripts.length === 0 ? ["'none'"] : ["'self'", ...ofWallets, ...(nonces.length > 0 ? nonces : hashes)]
  if (new Set(sources).symmetricDifference(new Set(expected)).size > 0)
    faults.push(`scripts may come from ${sources.join(' ')}`)
  if (nonces.some((nonce) => nonce.length < 30)) faults.push('a nonce that can be guessed')

  const markup = html.replaceAll(/<script[\s\S]*?<\/script>/g, '')
  const handler = /<[a-z][^<>]*\son[a-z]+=/i.exec(markup)
  if (handler) faults.push(`a handler in the markup: ${handler[0].slice(-60)}`)
  if (/(href|src|action|formaction)="\s*javascript:/i.test(markup)) faults.push('a script in an address')
  if (/<(style|base)[\s>]/i.test(markup)) faults.push('a style or a base in the markup')

  for (const [name, value] of wanted)
    if (!value.test(headers.get(name) ?? '')) faults.push(`${name}: ${headers.get(name)}`)
  for (const [name, value] of Object.entries(forbidden))
    if (policy.get(name)?.join(' ') !== value) faults.push(`${name}: ${policy.get(name)?.join(' ')}`)
  return faults
}

const wanted: [string, RegExp][] = [
  ['x-content-type-options', /^nosniff$/],
  ['referrer-policy', /^strict-origin-when-cross-origin$/],
  ['permissions-policy', /camera=\(self\).*microphone=\(\)/],
  ['cross-origin-opener-policy', /^same-origin(?:-allow-popups)?$/],
  ['cross-origin-resource-policy', /^same-origin$/],
]

const forbidden = {
  'default-src': "'self'",
  'style-src': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'object-src': "'none'",
}
