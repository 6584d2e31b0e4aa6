/**
 * Tests thousands of hostile requests against the running product: no server errors, no other customers' data, and no
 * memory growth.
 */
import { execFileSync } from 'node:child_process'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verify } from '#tests/support/invariants.ts'
import { hostileRequests, mark, type HostileRequest } from './hostile-requests.ts'
import { seeds } from './random.ts'
import { readForms, readLinks, type FoundForm } from './read-forms.ts'
import { knownIds } from './known-ids.ts'
import { openStartedStore } from './started-store.ts'

const requestsPerSeed = 1_000
const visitors = 6
const root = fileURLToPath(new URL('../../', import.meta.url))

test('hostile requests are answered like any other', { timeout: 120_000 + seeds.length * 40_000 }, async () => {
  // Twice the required memory, so a leak of 100 KB per request would end the process.
  await using store = await openStartedStore({ env: { NODE_OPTIONS: '--max-old-space-size=256' } })
  const victim = await store.prepare('zebediah.quill@example.com')
  await store.press(victim)
  await store.db
    .updateTable('sales_order')
    .set({ first_name: 'Zebediah', last_name: 'Quill' })
    .where('cart_id', '=', victim.cartId)
    .execute()
  const order = await store.db
    .selectFrom('sales_order')
    .select(['id', 'customer_id'])
    .where('cart_id', '=', victim.cartId)
    .executeTakeFirstOrThrow()
  const ownCartIds: string[] = []
  while (ownCartIds.length < 10) ownCartIds.push((await store.prepare()).cartId)
  const { forms, links } = await walkThrough(store.origin, ownCartIds[0] ?? '')
  const requests = await hostileRequests(root, {
    orderId: order.id,
    customerId: order.customer_id,
    ...(await knownIds(store.db)),
    ownCartIds,
    origin: store.origin,
    forms,
    links,
  })

  const faults: unknown[] = []
  const statuses = new Map<number, number>()
  const memory: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: visitors })
  for (const seed of seeds) {
    const waiting = fc.sample(requests, { seed, numRuns: requestsPerSeed })
    await Promise.all(
      Array.from({ length: visitors }, async () => {
        for (let drawn = waiting.pop(); drawn; drawn = waiting.pop()) {
          const answer = await send(store.origin, drawn, agent).catch((error: Error) => error)
          if (!(answer instanceof Error)) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          const fault = answer instanceof Error ? answer.message : faultIn(answer)
          if (fault)
            faults.push({
              fault,
              seed,
              ...drawn,
              body: drawn.body && Buffer.from(drawn.body).toString('latin1').slice(0, 600),
            })
        }
      }),
    )
    memory.push(residentMegabytes(store.pid('web')))
  }
  agent.destroy()

  expect(faults.slice(0, 5)).toEqual([])
  // The generator is effective, because some requests succeeded, and every refusal reason occurred.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 303, 400, 403, 404, 413, 422]))
  expect((memory.at(-1) ?? 0) - (memory[0] ?? 0)).toBeLessThan(120)
  expect(await store.db.selectFrom('sales_order').select('state').where('id', '=', order.id).execute()).toEqual([
    { state: 'confirmed' },
  ])
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
})

/** The forms and links available to someone with a ready cart, up to a certain depth. */
async function walkThrough(origin: string, cartId: string): Promise<{ forms: FoundForm[]; links: string[] }> {
  const forms = new Map<string, FoundForm>()
  const seen = new Set<string>()
  const waiting = [
    '/',
    '/cart',
    '/zip',
    '/find',
    '/track-your-order',
    '/tire-reviews/newest',
    ...[
      'shipping',
      'shipping?tab=mobile',
      'shipping?tab=home',
      'shipping?tab=carrier-pickup',
      'shipping-confirmation',
      'services',
      'payments',
      'payments/card',
      'order-summary',
    ].map((step) => `/checkout/${step}`),
  ]
  for (let path = waiting.shift(); path && seen.size < 90; path = waiting.shift()) {
    if (seen.has(path)) continue
    seen.add(path)
    const html = await (
      await fetch(`${origin}${path}`, { headers: { cookie: `sw_cart=${cartId}; sw_zip=60614` } })
    ).text()
    for (const form of readForms(html, path))
      forms.set(`${form.method} ${form.path.split('?')[0]} ${form.fields.map(([name]) => name).join()}`, form)
    const links = readLinks(html)
    // A few links per page, so that the walk reaches every kind of page.
    waiting.push(...links.filter((_, index) => index % Math.ceil(links.length / 12) === 0))
  }
  return { forms: [...forms.values()], links: [...seen] }
}

/** `isPage`: a browser would treat it as HTML; data must have a content type and forbid sniffing. */
type Answer = { status: number; text: string; location: string; isPage: boolean }

/** The problem with a response, if any. */
function faultIn({ status, text, location, isPage }: Answer): string | undefined {
  if (status >= 500) return `status ${status}`
  if (/\n\s+at .+:\d+:\d+|node_modules\//.test(text) || text.includes(root)) return 'a stack'
  if (isPage && (text.includes(`<script>${mark}`) || text.includes(`<img src=x onerror=${mark}`)))
    return 'markup as it came'
  if (/zebediah|quill@/i.test(text)) return 'another shopper'
  if (/^(https?:)?[/\\]{2}(?!localhost[:/])/.test(location) || /^javascript:/i.test(location))
    return `a way out to ${location}`
  return undefined
}

/** Returns the response, or status 0 if the client disconnects first. */
function send(
  origin: string,
  { method, path, headers, body, isTruncated }: HostileRequest,
  agent: Agent,
): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  if (isTruncated) return sendHalf(hostname, Number(port), { path, headers, body })
  return new Promise((resolve, reject) => {
    const call = request(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: { ...headers, ...(body ? { 'content-length': body.length } : {}) },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            location: response.headers.location ?? '',
            isPage: isPage(response.headers),
          }),
        )
        response.on('error', reject)
      },
    )
    // An oversized body may get its response, and the connection closed, before it is fully sent.
    call.on('error', (error) => {
      if (body && body.length > 60_000) resolve({ status: 413, text: '', location: '', isPage: false })
      // The server can close a keep-alive connection during reuse, before reading the request.
      else if (call.reusedSocket) resolve(send(origin, { method, path, headers, body, isTruncated }, agent))
      else reject(error)
    })
    call.end(body)
  })
}

function isPage(headers: IncomingHttpHeaders): boolean {
  return (
    headers['x-content-type-options'] !== 'nosniff' ||
    /^(text\/html|image\/svg|application\/xhtml|$)/.test(headers['content-type'] ?? '')
  )
}

function sendHalf(
  hostname: string,
  port: number,
  { path, headers, body = new Uint8Array() }: Pick<HostileRequest, 'path' | 'headers' | 'body'>,
): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(port, hostname, () => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${lines.join('\r\n')}\r\ncontent-length: ${body.length + 10}\r\n\r\n`,
        'latin1',
      )
      socket.write(body)
      setTimeout(() => socket.destroy(), 20)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ status: 0, text: '', location: '', isPage: false }))
  })
}

function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024
}
