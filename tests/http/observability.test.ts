/**
 * Tests that one ID follows a request to its email, that timings are recorded by route, and that the public port serves
 * no metrics.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allRoutes as routes } from '#tests/support/routes.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
let metricsPort: number
beforeAll(async () => {
  // The worker uses the next port.
  ;[metricsPort = 0] = await freePorts(2)
  store = await startStore({ env: { LOG_LEVEL: 'debug', METRICS_PORT: String(metricsPort) } })
})
afterAll(() => store[Symbol.asyncDispose]())

type Line = {
  level: number
  msg: string
  requestId?: string
  job?: string
  route?: string
  path?: string
  err?: unknown
}

function lines(process: 'web' | 'worker'): Line[] {
  return store
    .output(process)
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
}

const readMetrics = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
const value = (metrics: string, series: string) =>
  Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  )

test('an incoming request id is in the response, its log line, the queued job and that job’s log line', async () => {
  const requestId = 'contact-form-of-dana'
  const form = await (await fetch(`${store.origin}/contact`)).text()
  const key = /name="key" value="([^"]+)"/.exec(form)?.[1] ?? ''
  const fields = {
    key,
    firstName: 'Dana',
    lastName: 'Ruiz',
    email: 'dana@example.com',
    phone: '312-555-0142',
    subject: 'Does it fit?',
    message: 'Do you have spare lug nuts?',
  }
  const answer = await fetch(`${store.origin}/contact`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: store.origin, 'x-request-id': requestId },
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('x-request-id')).toBe(requestId)
  const line = await eventually('line of the request', () =>
    lines('web').find((line) => line.msg === 'request' && line.requestId === requestId),
  )
  expect(line).toMatchObject({ level: 400, path: '/contact', route: '/contact' })
  const job = await eventually('line of the job', () =>
    lines('worker').find((line) => line.msg === 'job' && line.requestId === requestId),
  )
  expect(job).toMatchObject({ job: 'send-message', outcome: 'done' })
})

test('a malformed id is replaced', async () => {
  const given = ['short', 'with spaces in it', 'x'.repeat(65), '"};{"level":200']
  for (const requestId of given) {
    const answer = await fetch(`${store.origin}/no/such/page`, { headers: { 'x-request-id': requestId } })
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
  }
})

test('the error page shows the id used in the log, and no other page does', async () => {
  const requestId = 'something-broke-1'
  await sql`alter table review rename to review_away`.execute(store.database.db)
  const answer = await fetch(`${store.origin}/tire-reviews/newest`, { headers: { 'x-request-id': requestId } })
  await sql`alter table review_away rename to review`.execute(store.database.db)
  expect(answer.status).toBe(500)
  expect((await answer.text()).replaceAll('<!-- -->', '')).toContain(`Reference: ${requestId}`)
  const told = await eventually('line of the failure', () =>
    lines('web').find((line) => line.requestId === requestId && line.msg === 'page failed'),
  )
  expect(told).toMatchObject({ level: 200, err: { message: expect.stringContaining('review') } })
  for (const path of ['/', '/no/such/page']) {
    const page = await fetch(`${store.origin}${path}`, { headers: { 'x-request-id': 'nothing-broke-1' } })
    expect(await page.text()).not.toContain('nothing-broke-1')
  }
})

test('framework requests outside of pages are answered and counted too', async () => {
  const { version } =
    /assets\/manifest-(?<version>\w+)\.js/.exec(await (await fetch(`${store.origin}/tire-sizes/225-65r17`)).text())
      ?.groups ?? {}
  const answer = await fetch(`${store.origin}/__manifest?paths=%2Fcart&version=${version ?? ''}`)
  expect(answer.status).toBe(200)
  expect(answer.ok && Object.keys((await answer.json()) as object)).toContain('routes/checkout/cart')
})

test('timings are counted from 50 ms to 15000 ms by route pattern, whatever is requested', async () => {
  const hostile = Array.from({ length: 60 }, (_, index) => [
    `/no/such/page-${index}`,
    `/vehicles/make-${index}/model-${index}`,
    `/tire-sizes/225-65r17?x=${index}`,
    `/page-${index}%22%7D%0A`,
    `/pictures/${index}-x-320.webp`,
    `//${index}//`,
    `/webhooks/${index}`,
  ]).flat()
  for (const path of hostile) await (await fetch(`${store.origin}${path}`, { redirect: 'manual' })).text()
  for (const method of ['PUT', 'PROPFIND', 'LOCK']) await (await fetch(`${store.origin}/x`, { method })).text()
  for (const path of ['/healthz', '/vehicles/toyota/rav4']) await (await fetch(`${store.origin}${path}`)).text()

  const metrics = await readMetrics(metricsPort)
  const labels = (name: string) =>
    new Set(
      [...metrics.matchAll(new RegExp(`^http_request_duration_ms_count\\{.*\\b${name}="([^"]*)"`, 'gm'))].map(
        ([, text]) => text,
      ),
    )
  expect([...labels('route')].filter((route) => /\d|make-|page-/.test(route ?? ''))).toEqual([])
  expect(labels('route').size).toBeLessThan(routes.length)
  expect([...labels('method')].filter((method) => method === 'PROPFIND' || method === 'LOCK')).toEqual([])
  expect([...labels('route')]).toEqual(
    expect.arrayContaining(['/healthz', '/vehicles/:make/:model', '/pictures/:name']),
  )
  const bounds = [
    ...metrics.matchAll(/^http_request_duration_ms_bucket\{le="([^"]+)",method="GET",route="\/healthz"/gm),
  ].map(([, bound]) => bound)
  expect(bounds[0]).toBe('50')
  expect(bounds.at(-2)).toBe('15000')
  expect(bounds.at(-1)).toBe('+Inf')
})

test('page cache hits are counted too', async () => {
  const read = async (answer: string) =>
    value(await readMetrics(metricsPort), `page_cache_answers_total{answer="${answer}"}`)
  const first = await fetch(`${store.origin}/types`)
  await first.text()
  const kept = await fetch(`${store.origin}/types`)
  await kept.text()
  const [sent, unchanged] = [await read('sent'), await read('unchanged')]
  await (await fetch(`${store.origin}/types`)).text()
  await (await fetch(`${store.origin}/types`, { headers: { 'if-none-match': kept.headers.get('etag') ?? '' } })).text()
  expect(await read('sent')).toBe(sent + 1)
  expect(await read('unchanged')).toBe(unchanged + 1)
})

test('page cache metrics include its size and pages requested once', async () => {
  const count = async (asked: string) => value(await readMetrics(metricsPort), `page_cache_pages{asked="${asked}"}`)
  const bytes = async () => value(await readMetrics(metricsPort), 'page_cache_bytes')
  const before = { once: await count('once'), again: await count('again'), bytes: await bytes() }
  await (await fetch(`${store.origin}/types/summer`)).text()
  expect(await count('once')).toBe(before.once + 1)
  expect(await count('again')).toEqual(before.again)
  expect(await bytes()).toBeGreaterThan(before.bytes)
  await (await fetch(`${store.origin}/types/summer`)).text()
  expect(await count('once')).toEqual(before.once)
  expect(await count('again')).toBe(before.again + 1)
  expect(await readMetrics(metricsPort)).toContain('page_cache_evictions_total 0')
})

test('concurrent requests for a page render it once', async () => {
  const read = async (answer: string) =>
    value(await readMetrics(metricsPort), `page_cache_answers_total{answer="${answer}"}`)
  const before = await read('waited')
  // Requested concurrently, for the first time.
  const answers = await Promise.all(Array.from({ length: 12 }, () => fetch(`${store.origin}/types/winter`)))
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  expect(new Set(texts).size).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await read('waited')).toBeGreaterThan(before)
})

test('the pool, the event loop and the jobs are measured, by each process separately', async () => {
  const web = await readMetrics(metricsPort)
  expect(value(web, 'database_pool_connections{state="idle"}')).toBeGreaterThan(0)
  expect(web).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(web).toMatch(/^orders_placed_total 0$/m)
  const worker = await readMetrics(metricsPort + 1)
  expect(value(worker, 'job_duration_ms_count{task="send-message",outcome="done"}')).toBeGreaterThan(0)
  // Prometheus uses these labels for its target, so our metrics use others.
  expect(`${web}\n${worker}`).not.toMatch(/^\w+\{.*\b(?:job|instance)="/m)
})

test('a script that no release has is counted apart from other pages that are not there', async () => {
  const missing = async () =>
    value(
      await readMetrics(metricsPort),
      'http_request_duration_ms_count{method="GET",route="built-file-missing",status="404"}',
    )
  for (const name of ['gone-AbCd_12-.js', 'gone-AbCd_12-.css', 'no-build-names-it.txt'])
    expect((await fetch(`${store.origin}/assets/${name}`)).status).toBe(404)
  expect(await missing()).toBe(2)
})

test('metrics aren’t reachable at the public address', async () => {
  for (const path of ['/metrics', '/metrics/', '/api/metrics']) {
    const answer = await fetch(`${store.origin}${path}`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('http_request_duration')
  }
  expect((await fetch(`http://127.0.0.1:${metricsPort}/other`)).status).toBe(404)
})
