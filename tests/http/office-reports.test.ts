/** Tests the office's reports over HTTP: pages, files, and invalid URLs. */
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countReports } from '#domain/operations/reports/reports.server.ts'
import { hasEntries, reportNames } from '#domain/operations/reports/reports.ts'
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
/** On the first days of a month, the demo has few orders in it and no refunds. */
const lastMonth = () => storeDay(systemClock.now()).toPlainYearMonth().subtract({ months: 1 }).toString()

/** A file as rows; the rows of one report, with its heads first and its total last. */
async function readFile(query: string): Promise<string[][]> {
  const answer = await ask(`/office/reports.csv${query}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  return parse(await answer.text(), { relax_column_count: true, skip_empty_lines: false })
}

test('each report has a page with a chart and table, without script', async () => {
  const overview = await (await ask('/office/reports')).text()
  for (const name of reportNames) {
    expect(overview).toContain(`href="/office/reports/${name}`)
    // Searches and inventory are counted from today on.
    const month = hasEntries(name) ? lastMonth() : thisMonth()
    const html = await (await ask(`/office/reports/${name}?month=${month}`)).text()
    expect(html).toContain(`id="${name}"`)
    expect(html, name).toMatch(
      /<svg[^>]*role="img"[^>]*aria-label="[^"]*chart of [^"]*\. The numbers are in the table\."/,
    )
  }
  expect(overview).toMatch(
    /<svg[^>]*role="img"[^>]*aria-label="Bar chart of sales by week\. The numbers are in the table\."/,
  )
  // Only the office's keyboard script, without React.
  expect(overview.match(/<script[^>]*src="([^"]*)"/g) ?? []).toEqual([expect.stringContaining('office-keys')])
  expect(overview).toContain('Last updated')
})

test('the overview has the panels of five reports, each with the largest rows and the file of its report', async () => {
  const query = `?month=${lastMonth()}&compare=month`
  const overview = await (await ask(`/office/reports${query}`)).text()
  const panelOf = (html: string, name: string) =>
    new RegExp(`<section[^>]*id="${name}"[^]*?</section>`).exec(html)?.[0] ?? ''
  const partsOf = (panel: string) => ({
    title: /<h2[^>]*>(.*?)<\/h2>/.exec(panel)?.[1],
    chart: /<figure[^]*<\/figure>/.exec(panel)?.[0],
    totals: /<tfoot[^]*<\/tfoot>/.exec(panel)?.[0],
    file: /href="(\/office\/reports\.csv[^"]*)"/.exec(panel)?.[1],
  })
  const titles = {
    sales: 'Sales by week',
    margin: 'Margin by brand',
    tax: 'Tax by state',
    promise: 'Promise kept',
    refunds: 'Refunds by who bears the cost',
  }
  for (const [name, title] of Object.entries(titles)) {
    const parts = partsOf(panelOf(overview, name))
    const link = /href="(\/office\/reports\/[a-z]+[^"]*)"[^>]*aria-label="Open report/.exec(
      panelOf(overview, name),
    )?.[1]
    expect(parts, name).toMatchObject({ title, totals: expect.any(String), file: expect.stringContaining(name) })
    const own = await (await ask((link ?? '').replaceAll('&amp;', '&'))).text()
    expect(partsOf(panelOf(own, name)), name).toEqual(parts)
    const rowsOf = (panel: string) => /<tbody>([^]*)<\/tbody>/.exec(panel)?.[1]?.split('</tr>').filter(Boolean) ?? []
    const rows = rowsOf(panelOf(overview, name))
    expect(rows.length, name).toBe(Math.min(12, rowsOf(panelOf(own, name)).length))
    expect(rowsOf(panelOf(own, name)), name).toEqual(expect.arrayContaining(rows))
    expect(panelOf(own, name)).not.toContain('Open report')
  }
})

test('the choice of a report in the filters leads to its page with the other filters', async () => {
  const answer = await ask('/office/reports?report=margin&month=2026-10&state=IL')
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/office/reports/margin?month=2026-10&state=IL')
  expect((await ask('/office/reports?report=')).status).toBe(200)
  expect((await ask('/office/reports/secrets')).status).toBe(404)
})

test('each report exports to a file, and all to one, with matching totals', async () => {
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
      // Sales of counties and cities are in their states' rows, too.
      const isAdded = name !== 'filing' || head === 'Tax collected (USD)'
      const added = table.slice(0, -1).filter(([, level]) => isAdded || level === 'State')
      const sum = added.reduce((cents, row) => cents + Math.round(Number(row[at]) * 100), 0)
      expect(Math.round(Number(total[at]) * 100), `${name} ${head}`).toBe(sum)
    }
  }
  const answer = await ask(`/office/reports.csv?report=tax&month=${thisMonth()}`)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="tax-${thisMonth()}.csv"`)
})

/** The address behind a cell, by the page of its report. */
async function linkIn(page: string, pattern: RegExp): Promise<string> {
  const html = await (await ask(page)).text()
  const [, link = ''] = pattern.exec(html) ?? []
  expect(link, page).not.toBe('')
  return link.replaceAll('&amp;', '&')
}

const entryLink = (more: string) => new RegExp(`href="(/office/reports/entries\\?[^"]*${more}[^"]*)"`)

/** A column of the file of a list, in dollars or numbers. */
async function columnOf(link: string, head: string): Promise<number[]> {
  const answer = await ask(link.replace('/office/reports/entries', '/office/export/report-entries'))
  expect(answer.status).toBe(200)
  const [heads = [], ...rows]: string[][] = parse(await answer.text(), { relax_column_count: true })
  const at = heads.indexOf(head)
  expect(at, heads.join()).toBeGreaterThan(0)
  return rows.map((row) => Math.round(Number(row[at]) * 100))
}

test('a number leads to the entries that it is the sum of, on the page and in the file', async () => {
  const range = `?from=${storeDay(systemClock.now()).subtract({ days: 20 }).toString()}&to=${storeDay(systemClock.now()).toString()}`
  for (const [report, column, head] of [
    ['sales', 'Sales', 'Sales in dollars'],
    ['margin', 'Margin', 'Margin in dollars'],
    ['tax', 'Sales%20tax', 'Sales tax in dollars'],
    ['filing', 'Tax%20collected', 'Tax collected in dollars'],
    ['cash', 'Ledger', 'Ledger in dollars'],
  ] as const) {
    const file = await readFile(`${range}&report=${report}`)
    const heads = file[3] ?? []
    const total = file.find(([first]) => first === 'Total') ?? []
    const cell = Math.round(Number(total[heads.indexOf(head.replace(' in dollars', ' (USD)'))]) * 100)
    expect(cell, report).not.toBe(0)
    const html = await (await ask(`/office/reports/${report}${range}`)).text()
    const [, footer = ''] = /<tfoot>(.*?)<\/tfoot>/s.exec(html) ?? []
    const [, link = ''] = entryLink(`of=${column}`).exec(footer) ?? []
    expect(link, report).not.toBe('')
    const path = link.replaceAll('&amp;', '&')
    expect(sumOf(await columnOf(path, head)), report).toBe(cell)
    const list = await (await ask(path)).text()
    expect(list).toContain(`<dt>${head.replace(' in dollars', '')}</dt>`)
  }
})

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

test('a number of a row leads to the entries of its days, label or state; shares lead nowhere', async () => {
  const day = storeDay(systemClock.now()).subtract({ days: 2 }).toString()
  const days = `from=${day}&to=${day}`
  const sales = await linkIn(`/office/reports/sales?${days}`, entryLink('of=Orders'))
  expect(sales).toBe(`/office/reports/entries?report=sales&${days}&of=Orders`)
  const list = await (await ask(sales)).text()
  expect(list).toMatch(/href="\/office\/orders\/\d+"/)
  expect(list).toContain('Order placed')
  const brand = await linkIn('/office/reports/margin', entryLink('row='))
  expect((await (await ask(brand)).text()).replaceAll('<!-- -->', '')).toMatch(/Row <b>/)
  expect(await linkIn('/office/reports/filing', entryLink('row=state'))).toMatch(/state=[A-Z]{2}/)
  expect(await linkIn('/office/reports/sales?type=Retail', entryLink('type=Retail'))).toContain('report=sales')
  const shops = await (await ask('/office/reports/shops?from=2026-01-01&to=2026-01-02')).text()
  expect(shops).toContain('No data for this period.')
  for (const name of ['searches', 'inventory'])
    expect(await (await ask(`/office/reports/${name}`)).text()).not.toContain('/office/reports/entries')
})

test('tax is filed for a month, a quarter or a year', async () => {
  const { year, month } = storeDay(systemClock.now())
  const quarter = `${year}-Q${Math.ceil(month / 3)}`
  const html = await (await ask(`/office/reports/filing?month=${quarter}`)).text()
  expect(html).toContain(`Tax filing, Q${Math.ceil(month / 3)} ${year}`)
  expect(html).toContain(`value="${quarter}" selected`)
  const tax = async (period: string) => {
    const rows = await readFile(`?report=filing&month=${period}`)
    return Number(rows.find(([first]) => first === 'Total')?.[rows[3]?.indexOf('Tax collected (USD)') ?? 0])
  }
  expect(await tax(String(year))).toBeGreaterThanOrEqual(await tax(quarter))
  expect(await tax(quarter)).toBeGreaterThan(0)
  const before = await (await ask(`/office/reports/filing?month=${quarter}&compare=month`)).text()
  expect(before).toMatch(/<tfoot>.*Q\d 20\d\d.*Change/s)
  const answer = await ask(`/office/reports.csv?report=filing&month=${quarter}`)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="filing-${quarter}.csv"`)
})

test.for([
  '?report=secrets&of=Nothing&row=',
  '?report=searches',
  '?from=2026-11-10&to=2026-11-01',
  '?from=2001-01-01&to=2026-11-01',
  '?from=2026-02-30&to=x',
  `?row=${'x'.repeat(5_000)}&shop=%27--&type=${'y'.repeat(500)}`,
  '?after=2026-99-99.0',
  '?after=2026-11-01.9999999',
  '?after=-1&state=ZZ',
])('report entries respond to any request: %s', async (query) => {
  expect((await ask(`/office/reports/entries${query}`)).status).toBe(200)
})

test('searches without results are listed by text, except one-time searches', async () => {
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

test('a date range replaces the month, by week or month', async () => {
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
  '?month=2026-Q5',
  '?month=2099-Q1',
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
])('page and file respond to any request: %s', async (query) => {
  expect((await ask(`/office/reports${query}`)).status).toBe(200)
  expect((await ask(`/office/reports.csv${query}`)).status).toBe(200)
})

test('a report that there is not is not found', async () => {
  expect((await ask('/office/reports.csv?report=secrets')).status).toBe(404)
})
