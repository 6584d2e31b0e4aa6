/** The business's numbers as copy may name them: `{{returnDays}}` in a Markdown file is the constant that the code uses, so the two cannot part. */
import { bookableDaysAhead } from '#domain/booking/booking.ts'
import { grouped, oldestTireYears } from '#domain/fitment/fitment.ts'
import { cancelMinutes } from '#domain/orders/orders.ts'
import {
  EXCISE_FREE_LOAD_LB,
  INSTALL_DISCOUNT_CENTS,
  INSTALL_DISCOUNT_FROM_TIRES,
  REPLACEMENT_COVERAGE,
  RETURN_HANDLING_FEE_CENTS,
  RETURN_WINDOW_DAYS,
  ROADSIDE_FROM_TIRES,
  ROADSIDE_MONTHS,
} from '#domain/pricing/pricing.ts'
import { rotationAdvice, supportHoursText } from '#domain/support/support.ts'
import { formatCents } from '#platform/money.ts'

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
  supportHours: supportHoursText,
  installDiscount: dollars(INSTALL_DISCOUNT_CENTS),
  installDiscountTires: String(INSTALL_DISCOUNT_FROM_TIRES),
  fetPounds: grouped(EXCISE_FREE_LOAD_LB),
  oldestTireYears: String(oldestTireYears),
  rotationMonths: String(rotationAdvice.months),
  rotationMiles: grouped(rotationAdvice.miles),
}

/**
 * `text` with every `{{name}}` replaced by its constant, or by one of `more` (the store's own name and phone, say).
 * Throws, naming `file`, when a name is neither.
 */
export function fillConstants(text: string, file: string, more: Record<string, string> = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = more[name] ?? constants[name]
    if (value === undefined) throw new Error(`${file} asks for ${name}, which is no constant.`)
    return value
  })
}
