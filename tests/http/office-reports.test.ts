/** Reports of the office over sockets: pages, files, and what strange addresses get. */
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countReports } from '#domain/reports/reports.server.ts'
import { reportNames } from '#domain/reports/reports.ts'
import { systemClock } from '#platform/clock.ts'
import { storeDay } from '#platform/store-zone.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
const finance = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, finance, { email: 'finance@example.com' })
  for (const typed of ['qqxzzv', 'QQXZZV', 'once-vvqzx']) await finance.ask(`${store.origin}/search?q=${typed}`)
  await countReports({ db: store.database.db, clock: systemClock })
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (path: string) => finance.ask(`${store.origin}${path}`)
const thisMonth = () => storeDay(systemClock.now()).toPlainYearMonth().toString()

/** A file as rows; the rows of one report, with its heads first and its total last. */
async function readFile(query: string): Promise<string[][]> {
  const answer = await ask(`/office/reports.csv${query}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  return parse(await answer.text(), { relax_column_count: true, skip_empty_lines: false })
}

test('each report has a page with a chart beside its table, without script', async () => {
  const overview = await (await ask('/office/reports')).text()
  for (const name of reportNames) {
    expect(overview).toContain(`href="/office/reports/${name}`)
    const html = await (await ask(`/office/reports/${name}`)).text()
    expect(html).toContain(`id="${name}"`)
    expect(html, name).toMatch(
      /<svg[^>]*role="img"[^>]*aria-label="[^"]*chart of [^"]*\. The numbers are in the table\."/,
    )
  }
  expect(overview).toMatch(
    /<svg[^>]*role="img"[^>]*aria-label="Bar chart of sales by week\. The numbers are in the table\."/,
  )
  // The keys of every office page, and nothing of React.
  expect(overview.match(/<script[^>]*src="([^"]*)"/g) ?? []).toEqual([expect.stringContaining('office-keys')])
  expect(overview).toContain('Last updated')
})

test('the choice of a report in the filters leads to its page with the other filters', async () => {
  const answer = await ask('/office/reports?report=margin&month=2026-10&state=IL')
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/office/reports/margin?month=2026-10&state=IL')
  expect((await ask('/office/reports?report=')).status).toBe(200)
  expect((await ask('/office/reports/secrets')).status).toBe(404)
})

test('each report is a file, and all of them are one; totals are those of the rows', async () => {
  const all = await readFile('')
  for (const name of reportNames) {
    const rows = await readFile(`?report=${name}`)
    const [, , [title] = [], heads = [], ...withTotals] = rows
    const end = withTotals.findIndex(([first]) => first === 'Total')
    const table = withTotals.slice(0, end + 1)
    expect(all.some(([first]) => first === title)).toBe(true)
    const total = table.at(-1) ?? []
    for (const [at, head] of heads.entries()) {
      if (!head.endsWith('(USD)')) continue
      const sum = table.slice(0, -1).reduce((cents, row) => cents + Math.round(Number(row[at]) * 100), 0)
      expect(Math.round(Number(total[at]) * 100), `${name} ${head}`).toBe(sum)
    }
  }
  const answer = await ask(`/office/reports.csv?report=tax&month=${thisMonth()}`)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="tax-${thisMonth()}.csv"`)
})

test('rows lead to the orders of their days and to their shop', async () => {
  const today = storeDay(systemClock.now()).toString()
  const days = `from=${today}&to=${today}`
  const sales = await (await ask(`/office/reports/sales?${days}`)).text()
  expect(sales).toContain(`href="/office/orders?${days.replace('&', '&amp;')}"`)
  expect((await ask(`/office/orders?${days}`)).status).toBe(200)
  const tax = await (await ask('/office/reports/tax')).text()
  const [, toState = ''] = /href="(\/office\/orders\?[^"]*destination=[A-Z]{2}[^"]*)"/.exec(tax) ?? []
  expect((await ask(toState.replaceAll('&amp;', '&'))).status).toBe(200)
  // The list of orders can't be narrowed to an account type.
  expect(await (await ask(`/office/reports/sales?${days}&type=Retail`)).text()).not.toContain('href="/office/orders?')
  const shops = await (await ask('/office/reports/shops?from=2026-01-01&to=2026-01-02')).text()
  expect(shops).toContain('No data for this period.')
})

test('searches without results are listed by what was typed, without those made once', async () => {
  const [, , , , ...rows] = await readFile('?report=searches')
  expect(rows).toEqual([
    ['qqxzzv', '2', expect.any(String)],
    ['Other searches', '1', expect.any(String)],
    ['Total', '3', '100'],
    expect.arrayContaining([expect.stringContaining('Total')]),
  ])
})

test('a report is subscribed to and unsubscribed from on its page', async () => {
  const post = (form: Record<string, string>) => finance.ask(`${store.origin}/office/reports/margin`, { form })
  expect((await post({ intent: 'subscribe', every: 'week', hour: '25' })).status).toBe(422)
  const subscribed = await post({ intent: 'subscribe', every: 'month', hour: '8' })
  expect(subscribed.headers.get('location')).toBe('/office/reports/margin?done=subscribed#email')
  const html = await (await ask('/office/reports/margin?done=subscribed')).text()
  expect(html).toContain('We’ll email you this report.')
  expect(html).toContain('Monthly, on the 1st, 8:00 AM')
  const [, subscription = ''] = /name="subscription" value="([^"]+)"/.exec(html) ?? []
  const ended = await post({ intent: 'unsubscribe', subscription })
  expect(ended.headers.get('location')).toBe('/office/reports/margin?done=unsubscribed#email')
  expect((await post({ intent: 'unsubscribe', subscription })).status).toBe(409)
})

test('days take the place of the month, and are shown by week or by month', async () => {
  const today = storeDay(systemClock.now())
  const from = today.subtract({ days: 20 }).toString()
  const range = `?from=${from}&to=${today.toString()}`
  const rows = await readFile(`${range}&report=sales&month=2020-01&compare=month`)
  expect(rows[2]?.[0]).toBe('Sales by week')
  const before = `${today.subtract({ days: 41 }).toString()}-${today.subtract({ days: 21 }).toString()}`
  expect(rows[3]?.[0]).toBe('Week')
  expect(rows[3]?.[4]).toBe(`Sales ${before} (USD)`)
  const orders = rows.at(-1)?.[1]
  expect(Number(orders)).toBeGreaterThan(10)
  const year = await readFile(`?from=${today.subtract({ days: 200 }).toString()}&to=${today.toString()}&report=sales`)
  expect(year[2]?.[0]).toBe('Sales by month')
  // The demo’s orders are of the last month.
  const month = await readFile(`?from=${today.subtract({ days: 60 }).toString()}&to=${today.toString()}&report=sales`)
  expect(year.at(-1)?.[1]).toBe(month.at(-1)?.[1])
  expect(Number(year.at(-1)?.[1])).toBeGreaterThan(Number(orders))
  const one = await readFile(`?from=${today.toString()}&to=${today.toString()}&report=sales`)
  expect(one.slice(4, -1)).toHaveLength(1)

  const html = await (await ask(`/office/reports${range}&compare=month`)).text()
  expect(html).toMatch(new RegExp(`aria-label="Or days from"[^>]* value="${from}"`))
  expect(html).toContain('Previous period')
  expect(html).toContain(`/office/reports.csv?from=${from}&amp;to=${today.toString()}&amp;compare=month`)
  const answer = await ask(`/office/reports.csv${range}&report=tax`)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="tax-${from}-${today.toString()}.csv"`)
})

test('a filter narrows page and file alike', async () => {
  const whole = await readFile('?report=tax')
  const state = whole.at(4)?.[0] ?? ''
  const narrowed = await readFile(`?report=tax&state=${state}`)
  const firsts = narrowed.slice(4).map(([first]) => first)
  expect(firsts).toEqual([state, 'Total', expect.stringMatching(/^Total \d{4}-\d{2}$/)])
  expect(narrowed[0]).toContain(`state ${state}`)
  expect(await (await ask(`/office/reports?state=${state}`)).text()).toContain(`value="${state}" selected`)
})

test.for([
  '?month=9999-99',
  '?month=2019-02-30',
  '?month=2000-01',
  '?month=-002026-01',
  '?month=2099-12',
  "?month=2026-11'--",
  '?state=%27%3Bdrop&shop=-1&type=%25',
  '?shop=99999999999999999999',
  '?shop=1e9&compare=everything',
  `?type=${'x'.repeat(2_000)}`,
  '?state=ZZ&type=Nobody',
  '?month=&state=&shop=&type=&compare=&from=&to=',
  '?from=2026-11-10&to=2026-11-01',
  '?from=2019-01-01&to=2026-11-01',
  '?from=2026-11-01&to=2099-01-01',
  '?from=2026-02-30&to=2026-03-01',
  '?from=2024-02-29&to=2024-02-29',
])('whatever is asked for, page and file answer: %s', async (query) => {
  expect((await ask(`/office/reports${query}`)).status).toBe(200)
  expect((await ask(`/office/reports.csv${query}`)).status).toBe(200)
})

test('a report that there is not is not found', async () => {
  expect((await ask('/office/reports.csv?report=secrets')).status).toBe(404)
})
