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

test('the page shows a figure with its text beside each table, without script', async () => {
  const html = await (await ask('/office/reports')).text()
  for (const name of reportNames) expect(html).toContain(`id="${name}"`)
  expect(html).toMatch(
    /<svg[^>]*role="img"[^>]*aria-label="Bar chart of sales by week\. The numbers are in the table\."/,
  )
  // The keys of every office page, and nothing of React.
  expect(html.match(/<script[^>]*src="([^"]*)"/g) ?? []).toEqual([expect.stringContaining('office-keys')])
  expect(html).toContain('Counted from the ledger')
})

test('each report is a file, and all of them are one; totals are those of the rows', async () => {
  const all = await readFile('')
  for (const name of reportNames) {
    const rows = await readFile(`?report=${name}`)
    const [, , [title] = [], heads = [], ...table] = rows
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
  expect(html).toContain('The days before')
  expect(html).toContain(`/office/reports.csv?from=${from}&amp;to=${today.toString()}&amp;compare=month`)
  const answer = await ask(`/office/reports.csv${range}&report=tax`)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="tax-${from}-${today.toString()}.csv"`)
})

test('a filter narrows page and file alike', async () => {
  const whole = await readFile('?report=tax')
  const state = whole.at(4)?.[0] ?? ''
  const narrowed = await readFile(`?report=tax&state=${state}`)
  expect(narrowed.slice(4, -1).map(([first]) => first)).toEqual([state])
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
