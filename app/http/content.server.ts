/** Pages written in Markdown: front matter, `{{constant}}` for the business's numbers, so that copy and code cannot part. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Marked } from 'marked'
import { bookableDaysAhead } from '#domain/booking/booking.ts'
import { cancelMinutes } from '#domain/orders/orders.ts'
import { REPLACEMENT_COVERAGE, RETURN_HANDLING_FEE_CENTS, RETURN_WINDOW_DAYS, ROADSIDE_FROM_TIRES, ROADSIDE_MONTHS } from '#domain/pricing/pricing.ts'
import { formatCents } from '#platform/money.ts'

export type ContentPage = { title: string; description: string; html: string }

const dollars = (cents: number) => formatCents(cents).replace(/\.00$/, '')

const constants: Record<string, string> = {
  cancelMinutes: String(cancelMinutes),
  bookableDays: String(bookableDaysAhead),
  returnDays: String(RETURN_WINDOW_DAYS),
  handlingFee: dollars(RETURN_HANDLING_FEE_CENTS),
  coverageMonths: String(REPLACEMENT_COVERAGE.months),
  coverageYear1: dollars(REPLACEMENT_COVERAGE.capCentsByYear[0]),
  coverageYear2: dollars(REPLACEMENT_COVERAGE.capCentsByYear[1]),
  coverageYear3: dollars(REPLACEMENT_COVERAGE.capCentsByYear[2]),
  coverageRepair: dollars(REPLACEMENT_COVERAGE.repairCents),
  roadsideMonths: String(ROADSIDE_MONTHS),
  roadsideTires: String(ROADSIDE_FROM_TIRES),
}

/** Reads content/<path>.md. The files are ours, so their HTML is trusted; throws when one names a constant that does not exist. */
export async function readContent(path: 'policies/terms-of-sale'): Promise<ContentPage> {
  const source = await readFile(join('content', `${path}.md`), 'utf8')
  const match = /^---\ntitle: (?<title>.+)\ndescription: (?<description>.+)\n---\n\n(?<body>[\s\S]+)$/.exec(source)
  if (!match?.groups) throw new Error(`content/${path}.md has no front matter.`)
  const body = (match.groups['body'] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = constants[name]
    if (value === undefined) throw new Error(`content/${path}.md asks for ${name}, which is no constant.`)
    return value
  })
  return { title: match.groups['title'] ?? '', description: match.groups['description'] ?? '', html: await new Marked({ gfm: true }).parse(body) }
}
