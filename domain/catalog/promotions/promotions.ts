/** Drafts, schedules, and forms of promotions in the office. Safe in the browser. */
import { storeTime } from '#domain/kernel/schedules/schedules.ts'
import { z } from 'zod'
import { DAILY_DEAL_MAX_PPM } from '#platform/business-constants.ts'
import { dollars, emptyOr, type FormLines } from '#platform/form-fields.ts'
import { formatCents, parseDollars } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import { filterFields, officeText, subjectField, versionField } from './offer-fields.ts'

export {
  endForm,
  filterFields,
  filterOfOneMessage,
  filterValues,
  officeText,
  subjectField,
  unknownPartMessages,
  versionField,
} from './offer-fields.ts'
export * from './rebate-form.ts'
export { draftFileColumns, draftFileLimits, maxDraftFileBytes, type DraftFile } from './draft-file.ts'
export { rebateFile, type RebateFileField } from './rebate-file.ts'

export const promotionStates = ['running', 'scheduled', 'draft', 'ended'] as const
export type PromotionState = (typeof promotionStates)[number]

export const promotionKindNames = {
  'Flat Amount': 'Dollars off each tire',
  Percentage: 'Percent off each tire',
  Buy3Get1: 'Buy 3, get 1 free',
  Free: 'A number of tires free',
} as const

export const funderNames = { store: 'The store', maker: 'The maker', lender: 'The lender', bank: 'The bank' } as const

/** Returns a promotion's state at `now`. It runs from its start until just before its end. */
export function stateAt(
  { startsAt, endsAt }: { startsAt: Temporal.Instant; endsAt: Temporal.Instant },
  now: Temporal.Instant,
): Exclude<PromotionState, 'draft'> {
  if (Temporal.Instant.compare(now, endsAt) >= 0) return 'ended'
  return Temporal.Instant.compare(now, startsAt) < 0 ? 'scheduled' : 'running'
}

export const amountFaults = {
  'Flat Amount': 'Enter dollars off each tire, from 0.01 to 1,000.',
  Percentage: 'Enter a whole percentage from 1 to 100.',
  Free: 'Enter 1 to 8 tires.',
  Buy3Get1: '',
} as const

/** Parses a percentage, cents or units, depending on the kind; undefined if invalid. */
export function readAmount(kind: keyof typeof promotionKindNames, typed: string): number | undefined {
  if (kind === 'Buy3Get1') return 0
  const most = { 'Flat Amount': 100_000, Percentage: 100, Free: 8 }[kind]
  const amount = kind === 'Flat Amount' ? parseDollars(typed) : /^\d{1,3}$/.test(typed) ? Number(typed) : undefined
  return amount !== undefined && amount >= 1 && amount <= most ? amount : undefined
}

export const yesOrNo = z.enum(['yes', 'no'], 'Choose one.').transform((answer) => answer === 'yes')

/** The id of the promotion the draft replaces, or null. */
export const replacesField = z
  .string()
  .regex(/^\d{0,9}$/)
  .default('')
  .transform((id) => (id === '' ? null : Number(id)))

/** The largest percentage of a daily deal. */
export const maxDailyPercent = DAILY_DEAL_MAX_PPM / 10_000

const promotionFields = {
  name: officeText(3, 80),
  headline: officeText(3, 120),
  kind: z.enum(['Flat Amount', 'Buy3Get1', 'Free', 'Percentage'], 'Choose what it takes off.'),
  amount: z.string().trim().max(14).default(''),
  /** A SKU, "brand/line" or a brand; empty for every tire. */
  subject: subjectField,
  ...filterFields,
  fundedBy: z.enum(['store', 'maker', 'lender', 'bank'], 'Choose who pays.'),
  daily: yesOrNo.default(false).describe(`A deal of one day, of at most ${maxDailyPercent}%`),
  linkToCoverage: yesOrNo.default(false).describe('Points shoppers to the replacement coverage'),
}

function readTerms<Draft extends Typed>(
  { amount: typed, ...draft }: Draft,
  issues: z.RefinementCtx,
): Omit<Draft, 'amount'> & { amount: number } {
  const amount = readAmount(draft.kind, typed)
  if (amount === undefined) issues.addIssue({ code: 'custom', path: ['amount'], message: amountFaults[draft.kind] })
  if (draft.daily && (draft.kind !== 'Percentage' || (amount ?? 0) > maxDailyPercent))
    issues.addIssue({
      code: 'custom',
      path: ['daily'],
      message: `A daily deal takes up to ${maxDailyPercent} percent off.`,
    })
  return { ...draft, amount: amount ?? 0 }
}
type Typed = { kind: keyof typeof promotionKindNames; amount: string; daily: boolean }

export const promotionDraftForm = z
  .object({ formKey: z.uuid(), ...promotionFields, replaces: replacesField })
  .transform(readTerms)
export type PromotionDraft = z.output<typeof promotionDraftForm>

/** The form that changes a draft. */
export const promotionChangeForm = z.object({ ...promotionFields, version: versionField }).transform(readTerms)
export type PromotionChange = z.output<typeof promotionChangeForm>

export const scheduleForm = z.object({
  version: versionField,
  startsAt: storeTime('Enter the day and time it starts.'),
  endsAt: storeTime('Enter the day and time it ends.'),
})

/** A checkbox that accepts a warning. */
const accepted = z
  .string()
  .optional()
  .transform((answer) => answer === 'yes')

/** When a version of a price list starts, and whether prices below a floor are meant. */
export const listScheduleForm = z.object({
  startsAt: storeTime('Enter the day and time it starts.'),
  acceptsBelow: accepted,
})

/** How many different tires a test cart may hold. */
export const mostTestLines = 8

/** Parses "SKU 4", "SKU, 4" or "SKU x 4"; empty for other lines. */
function readTestLine(line: string): { sku: string; quantity: number }[] {
  const [sku = '', ...rest] = line.trim().split(/[\s,]+/)
  const counts = rest.filter((word) => word.toLowerCase() !== 'x')
  const count = /^x?([1-9]\d?)$/i.exec(counts[0] ?? '')?.[1]
  return /^[\w.-]{2,40}$/.test(sku) && counts.length === 1 && count ? [{ sku, quantity: Number(count) }] : []
}

/** A cart to test with: "SKU quantity" on each line, and the state that the tires go to. */
export const testCartForm = z.object({
  cart: z
    .string('Enter a SKU and a quantity.')
    .trim()
    .max(400, `Enter up to ${countOf(mostTestLines, 'line')}.`)
    .transform((typed, issues) => {
      const lines = typed.split(/\n+/)
      const read = lines.flatMap((line) => readTestLine(line))
      if (read.length === lines.length && read.length <= mostTestLines) return read
      issues.addIssue({
        code: 'custom',
        message: `Enter up to ${countOf(mostTestLines, 'line')}, each a SKU and a quantity.`,
      })
      return z.NEVER
    }),
  state: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'Enter a state, such as IL.'),
})

/** The most lines of the form of minimum advertised prices. */
const mostMapLines = 500

/** Minimum advertised prices. Each line is a SKU with a price in dollars, or with "none" to remove it. */
export const mapPricesForm = z.object({
  prices: z
    .string('Enter a SKU and a price.')
    .trim()
    .max(20_000, `Enter up to ${countOf(mostMapLines, 'line')}.`)
    .transform((typed, issues) => {
      const lines = typed.split(/\n+/)
      const read = lines.flatMap((line) => {
        const [, sku = '', word = ''] = /^\s*([\w.-]{2,40})[\s,]+\$?([\d.,]{1,10}|none)\s*$/i.exec(line) ?? []
        const cents = /^none$/i.test(word) ? null : parseDollars(word)
        return sku === '' || cents === undefined || cents === 0 ? [] : [{ sku: sku.toUpperCase(), mapCents: cents }]
      })
      if (read.length === lines.length && read.length <= mostMapLines) return read
      const message = `Enter up to ${countOf(mostMapLines, 'line')}, each a SKU and a price in dollars, or a SKU and “none.”`
      issues.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ formLines: { key: 'sku', amount: 'price', max: mostMapLines } satisfies FormLines }),
  acceptsBelow: accepted,
  seen: z
    .string()
    .regex(/^\d{1,9}$/, 'Load the page again.')
    .transform(Number)
    .optional()
    .meta({ formUnit: 'number', description: 'The highest `version` that was read. Tires set later stay unchanged.' }),
})

/** One tire's minimum advertised price; null to remove it. */
export const minimumPriceForm = z.object({
  price: emptyOr(dollars('Enter a price in dollars, such as 129.99.')),
  acceptsBelow: accepted,
  version: versionField,
})
export type MinimumPriceChange = z.output<typeof minimumPriceForm>

/**
 * A tire below its minimum at `priceCents`, the unit price in a set of four. `name` is the promotion's name; null for
 * the retail price.
 */
export type BelowMinimum = {
  sku: string
  priceCents: number
  mapCents: number
  cause: 'retail' | 'promotion'
  name: string | null
}

/** "KES-1 at $98.99, minimum $99.00; …": the first 20 tires that an offer would put below their minimum. */
export function belowMapText(tires: readonly { sku: string; priceCents: number; mapCents: number }[]): string {
  const named = tires
    .slice(0, 20)
    .map(({ sku, priceCents, mapCents }) => `${sku} at ${formatCents(priceCents)}, minimum ${formatCents(mapCents)}`)
  const more = tires.length - named.length
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** "KES-1 at $98.99 with promotion Fall sale, minimum $99.00": a tire below its minimum advertised price. */
export function belowMinimumText({ sku, priceCents, mapCents, cause, name }: BelowMinimum): string {
  const offer = cause === 'retail' ? '' : ` with promotion ${name ?? ''}`
  return `${sku} at ${formatCents(priceCents)}${offer}, minimum ${formatCents(mapCents)}`
}
