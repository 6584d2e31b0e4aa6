/** Writes a month's report as a page with charts and as JSON to `.data/months`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { scaleBand, scaleLinear } from 'd3-scale'
import { differenceOf, type Row } from './books.ts'
import type { Lived } from './days.ts'

type Asked = { orders: number; days: number; seed: number }
type Done = { lived: Lived; rows: readonly Row[] }

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Writes both files; returns where the page is. */
export async function writeReport(asked: Asked, done: Done): Promise<string> {
  const folder = resolve(process.env['MONTH_REPORTS'] ?? '.data/months')
  await mkdir(folder, { recursive: true })
  const name = `${asked.orders}-orders-seed-${asked.seed}`
  const { life, seconds } = done.lived
  const figures = {
    ...asked,
    seconds: Math.round(seconds),
    placed: life.placed.length,
    days: life.days,
    refusals: Object.fromEntries(life.refusals),
    books: done.rows.map((row) => ({ ...row, difference: differenceOf(row) })),
  }
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(figures, null, 2)}\n`)
  const page = join(folder, `${name}.html`)
  await writeFile(page, pageOf(asked, done))
  return page
}

function pageOf({ orders, seed }: Asked, { lived, rows }: Done): string {
  const { life, seconds } = lived
  const { days, refusals } = life
  const ways = [...new Set(days.flatMap((day) => Object.keys(day.orders)))].toSorted()
  const acts = [...new Set(days.flatMap((day) => Object.keys(day.acts)))].toSorted()
  const broken = rows.filter((row) => differenceOf(row) !== 0)
  const total = (part: 'orders' | 'acts', name: string) => days.reduce((sum, day) => sum + (day[part][name] ?? 0), 0)
  const outages = days.filter((day) => day.outages.length > 0)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A month of ${orders} orders</title>
<style>
:root { font: 16px/1.5 system-ui, sans-serif; color: #14161a; background: #fff }
body { margin: 0 auto; padding: 24px 16px 64px; max-width: 976px }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px } h2 { font-size: 20px; margin: 40px 0 8px }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid #d9dce1; vertical-align: top }
.num { text-align: right } .bad { color: #a3120f; font-weight: 600 } .good { color: #0b6b35; font-weight: 600 }
.scroll { overflow-x: auto } svg { max-width: 100%; height: auto; display: block } svg text { font: 12px system-ui, sans-serif; fill: #4a4f57 }
ul { margin: 0; padding-left: 20px }
</style>
<h1>A month of ${life.placed.length.toLocaleString('en-US')} orders</h1>
<p>Seed ${seed}, ${days.length} days, lived in ${Math.round(seconds / 60)} minutes: ${(life.placed.length / seconds).toFixed(1)} orders a second.
<span class="${broken.length === 0 ? 'good' : 'bad'}">${broken.length === 0 ? 'The books balance.' : `${broken.length} rows of the books do not balance.`}</span></p>
<h2>Books</h2>
<div class="scroll"><table><tr><th>Book<th>What<th>On each side<th class="num">Difference</tr>
${rows.map(rowOf).join('\n')}
</table></div>
<h2>Orders by day</h2>
${columns(days.map((day) => ({ label: day.date, value: sumOf(day.orders), mark: day.outages.join(', ') })))}
<h2>Orders by way to pay</h2>
${bars(ways.map((name) => ({ label: name, value: total('orders', name) })))}
<h2>What became of them</h2>
${bars(acts.map((name) => ({ label: name, value: total('acts', name) })))}
<h2>Appointments kept by day</h2>
${columns(days.map((day) => ({ label: day.date, value: day.acts['job: finished'] ?? 0, mark: '' })))}
<h2>Outages</h2>
<ul>${outages.map((day) => `<li>${day.date}: ${escaped(day.outages.join(', '))}`).join('')}</ul>
<h2>Refused or stopped</h2>
<div class="scroll"><table><tr><th>Words<th class="num">Times</tr>
${[...refusals].map(([words, times]) => `<tr><td>${escaped(words)}<td class="num">${times}`).join('\n')}
</table></div>
</html>
`
}

function rowOf(row: Row): string {
  const { book, what, unit, figures } = row
  const text = (value: number) =>
    unit === 'cents'
      ? `$${(value / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
      : value.toLocaleString('en-US')
  const sides = Object.entries(figures).map(([name, value]) => `${escaped(name)} ${text(value)}`)
  const difference = differenceOf(row)
  const look = difference === 0 ? 'num' : 'num bad'
  return `<tr><td>${escaped(book)}<td>${escaped(what)}<td>${sides.join('<br>')}<td class="${look}">${text(difference)}`
}

const sumOf = (parts: Record<string, number>) => Object.values(parts).reduce((sum, part) => sum + part, 0)

type Bar = { label: string; value: number }

/** Renders a column per day. Days with an outage have a mark with its kind. */
function columns(days: readonly (Bar & { mark: string })[]): string {
  const [width, height] = [944, 220]
  const x = scaleBand(
    days.map(({ label }) => label),
    [0, width],
  ).padding(0.2)
  const y = scaleLinear([0, Math.max(1, ...days.map(({ value }) => value))], [height - 34, 18])
  const drawn = days.map(({ label, value, mark }, at) => {
    const from = x(label) ?? 0
    const middle = from + x.bandwidth() / 2
    const day =
      at % 5 === 0 ? `<text x="${middle}" y="${height - 4}" text-anchor="middle">${label.slice(5)}</text>` : ''
    const outage =
      mark && `<circle cx="${middle}" cy="${height - 24}" r="4" fill="#a3120f"><title>${escaped(mark)}</title></circle>`
    const number = value > 0 ? `<text x="${middle}" y="${y(value) - 4}" text-anchor="middle">${value}</text>` : ''
    return `<rect x="${from}" y="${y(value)}" width="${x.bandwidth()}" height="${y(0) - y(value)}" fill="#1f5fbf"/>${number}${outage}${day}`
  })
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="By day">${drawn.join('')}</svg>`
}

function bars(ones: readonly Bar[]): string {
  const [width, step] = [944, 26]
  const x = scaleLinear([0, Math.max(1, ...ones.map(({ value }) => value))], [240, width - 80])
  const drawn = ones.map(
    ({ label, value }, at) =>
      `<text x="230" y="${at * step + 17}" text-anchor="end">${escaped(label)}</text><rect x="240" y="${at * step + 4}" width="${x(value) - 240}" height="18" fill="#1f5fbf"/><text x="${x(value) + 6}" y="${at * step + 17}">${value.toLocaleString('en-US')}</text>`,
  )
  return `<svg viewBox="0 0 ${width} ${ones.length * step}" role="img" aria-label="By kind">${drawn.join('')}</svg>`
}
