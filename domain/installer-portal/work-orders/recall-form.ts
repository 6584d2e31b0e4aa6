/** The office recall form, with the campaign, and ranges of tire identification numbers. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'

/** In characters; more is no list of ranges. */
const longestRanges = 200_000
const mostRanges = 2_000
const mostSizes = 60
const mostFaultsShown = 12

/**
 * A plant's tires in a range of production weeks, as year and week (202534). `code` is the text that follows the plant.
 */
export type TinRange = { plant: string; code: string; fromWeek: number; toWeek: number }

/** "26T-004", also typed as 26T004 or as NHTSA's files have it, 26T004000; undefined for anything else. */
export function parseCampaign(typed: string): string | undefined {
  const [, year, number] = /^(\d\d)T-?(\d{3})(?:000)?$/.exec(typed.trim().toUpperCase().slice(0, 20)) ?? []
  return year && number ? `${year}T-${number}` : undefined
}

const needed = (words: string, most: number) =>
  z
    .string(words)
    .trim()
    .min(1, words)
    .max(most, `Please keep this under ${countOf(most, 'character')}.`)

/** The fields of a campaign. */
export const recallForm = z.object({
  campaign: z.string('Enter NHTSA’s number.').transform((typed, context) => {
    const campaign = parseCampaign(typed)
    if (campaign === undefined) context.addIssue({ code: 'custom', message: 'Enter a number like 26T-004.' })
    return campaign ?? ''
  }),
  maker: needed('Enter the maker as we sell it.', 100),
  line: z
    .string()
    .trim()
    .max(200, 'Please keep this under 200 characters.')
    .optional()
    .transform((line) => line || null),
  sizes: z
    .string()
    .max(2_000, 'Please keep this under 2000 characters.')
    .optional()
    .transform((typed) =>
      [...new Set((typed ?? '').split(/[,;\n]/).map((size) => size.trim().toUpperCase()))].filter(Boolean),
    )
    .pipe(z.array(z.string().max(40, 'This is no size.')).max(mostSizes, `Enter up to ${countOf(mostSizes, 'size')}.`)),
  defect: needed('Describe the problem with the tires.', 1_000),
  remedy: needed('Say what the customer does and gets.', 1_000),
})
export type RecallInput = z.output<typeof recallForm>

/** The ranges that an open recall is extended by. */
export const rangesForm = z.object({
  ranges: z
    .string('Enter at least one range.')
    .transform((text, context) => {
      const read = readRanges(text)
      if (read.ok) return read.value
      context.addIssue({ code: 'custom', message: read.faults.join(' ') })
      return z.NEVER
    })
    .describe('Each line has plant, size or type code, first week and last week, such as 7B3,KXYZ,3425,0226'),
})

/** A campaign with its ranges. */
export const recallDraftForm = recallForm.extend(rangesForm.shape)

/**
 * Parses ranges from CSV rows with plant, size or type code (optional), first and last week, as on the sidewall (3425).
 * A header row is skipped. Errors are reported by row.
 */
export function readRanges(text: string): { ok: true; value: TinRange[] } | { ok: false; faults: string[] } {
  if (text.length > longestRanges) return { ok: false, faults: ['This file is too large for a list of ranges.'] }
  const rows = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const faults: string[] = []
  const ranges = new Map<string, TinRange>()
  for (const [index, row] of rows.entries()) {
    if (index > mostRanges) return { ok: false, faults: [`Enter up to ${countOf(mostRanges, 'row')}.`] }
    const cells = row.split(/[,;\t]/).map((cell) => cell.replaceAll('"', '').trim().toUpperCase())
    if (cells.every((cell) => cell === '')) continue
    if (ranges.size === 0 && faults.length === 0 && cells[0]?.startsWith('PLANT')) continue
    const read = readRange(cells)
    if (typeof read === 'string') faults.push(`Row ${index + 1}: ${read}`)
    else ranges.set(JSON.stringify(read), read)
  }
  if (faults.length > mostFaultsShown)
    return { ok: false, faults: [...faults.slice(0, mostFaultsShown), `And ${faults.length - mostFaultsShown} more.`] }
  if (faults.length > 0) return { ok: false, faults }
  return ranges.size > 0
    ? { ok: true, value: [...ranges.values()] }
    : { ok: false, faults: ['Enter at least one range.'] }
}

function readRange(cells: readonly string[]): TinRange | string {
  const [plant = '', code = '', from = '', to = '', ...more] = cells
  if (cells.length < 4 || more.some((cell) => cell !== '')) return 'needs plant, code, week from and week to.'
  if (!/^[A-HJ-NPR-Z0-9]{2,3}$/.test(plant)) return 'the plant has 2 or 3 letters and digits, without I, O and Q.'
  if (!/^[A-HJ-NPR-Z0-9]{0,6}$/.test(code)) return 'the code has up to 6 letters and digits, without I, O and Q.'
  const [fromWeek, toWeek] = [readWeek(from), readWeek(to)]
  if (fromWeek === undefined || toWeek === undefined) return 'a week is written as on the tire, week and year: 3425.'
  return fromWeek <= toWeek ? { plant, code, fromWeek, toWeek } : 'the last week is before the first.'
}

function readWeek(typed: string): number | undefined {
  // Spreadsheets drop the zero of 0125.
  const text = typed.length === 3 ? `0${typed}` : typed
  return /^(?:0[1-9]|[1-4]\d|5[0-3])\d\d$/.test(text) ? weekOf(text) : undefined
}

/** Week and year of a sidewall as a number that grows with time: "3425" is 202534. */
function weekOf(date: string): number {
  return (2000 + Number(date.slice(2))) * 100 + Number(date.slice(0, 2))
}

/** What a tire identification number is looked up by. */
export function tinKeyOf(tin: string): { plant: string; rest: string; madeWeek: number } {
  const plant = tin.slice(0, tin.length === 13 ? 3 : 2)
  return { plant, rest: tin.slice(plant.length, -4), madeWeek: weekOf(tin.slice(-4)) }
}

/** "Plant 7B3, code KXYZ, weeks 34/25 to 02/26". */
export function rangeText({ plant, code, fromWeek, toWeek }: TinRange): string {
  const week = (each: number) =>
    `${String(each % 100).padStart(2, '0')}/${String(Math.floor(each / 100) % 100).padStart(2, '0')}`
  return `Plant ${plant}${code ? `, code ${code}` : ''}, weeks ${week(fromWeek)} to ${week(toWeek)}`
}

/** What a buyer answers. */
export const recallAnswers = {
  'will-go': 'I will have them replaced',
  replaced: 'They were replaced',
  'not-mine': 'I no longer have these tires',
} as const
export type RecallAnswer = keyof typeof recallAnswers
