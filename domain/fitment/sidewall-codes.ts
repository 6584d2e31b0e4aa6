/** Two more codes on a sidewall: the DOT code, whose last four digits say when the tire was made (49 CFR 574), and the UTQG grades (49 CFR 575.104). */

export type DotCode = { readonly plant: string; readonly size: string; readonly brand: string; readonly week: number; readonly year: number }
export type UtqgGrades = { readonly treadwear: number; readonly traction: string; readonly temperature: string }

/** "DOT U2LL LMLR 5123" → plant U2, week 51 of 2023. Undefined for other text and for the three-digit weeks used before 2000. */
export function parseDotCode(text: string): DotCode | undefined {
  const { plant, size, brand, week, year } = dotPattern.exec(text.toUpperCase().replaceAll(/\s+/g, ' ').trim())?.groups ?? {}
  return plant === undefined ? undefined : { plant, size: size ?? '', brand: brand ?? '', week: Number(week), year: 2000 + Number(year) }
}

/** "640 A A" → treadwear 640, traction A, temperature A. Undefined for other text. */
export function parseUtqg(text: string): UtqgGrades | undefined {
  const { treadwear, traction, temperature } = utqgPattern.exec(text.toUpperCase().replaceAll(/\s+/g, ' ').trim())?.groups ?? {}
  return traction === undefined || temperature === undefined ? undefined : { treadwear: Number(treadwear), traction, temperature }
}

/** Years from the Monday of the DOT week (ISO weeks) to `today`, as rule FR43 counts a tire's age. */
export function ageInYears({ week, year }: { readonly week: number; readonly year: number }, today: Temporal.PlainDate): number {
  const january4 = today.with({ year, month: 1, day: 4 })
  const made = january4.subtract({ days: january4.dayOfWeek - 1 }).add({ weeks: week - 1 })
  return made.until(today).total({ unit: 'years', relativeTo: made })
}

const dotPattern = /^DOT ?(?<plant>[A-Z\d]{2,3}?) ?(?<size>[A-Z\d]{0,6}?) ?(?<brand>[A-Z\d]{0,5}?) ?(?<week>0[1-9]|[1-4]\d|5[0-3])(?<year>\d{2})$/
const utqgPattern = /^(?<treadwear>\d{2,4}) ?(?<traction>AA|A|B|C) ?(?<temperature>A|B|C)$/
