/** Cells about people and times, for the files of other store programs. */
import { emailAddress, phoneNumber } from '#domain/kernel/contact-fields/contact-fields.ts'
import type { Reader } from './cells.ts'

export const email: Reader<string> = {
  expected: 'an email address',
  problem: 'is not an email address',
  read: (typed) => emailAddress.safeParse(typed).data,
}

export const phone: Reader<string> = {
  expected: 'ten digits, or a + and the country code before them',
  problem: 'is not a phone number',
  read: (typed) => phoneNumber.safeParse(typed.replace(/^'/, '')).data?.digits,
}

/** A date, or a date and time in UTC or with an offset. */
export const moment: Reader<string> = {
  expected: 'a date such as 2024-03-31, or 2024-03-31 14:30:00 +0000',
  problem: 'is not a date',
  read(typed) {
    const [, day = '', time = '00:00:00', offset = ''] =
      /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?(?: ?(Z|UTC|[+-]\d{2}:?\d{2}))?$/.exec(typed) ?? []
    if (day === '') return undefined
    const zone = /^[+-]/.test(offset) ? offset.replace(/^(...)(\d\d)$/, '$1:$2') : 'Z'
    try {
      return Temporal.Instant.from(`${day}T${time}${zone}`).toString()
    } catch {
      return undefined
    }
  },
}

/** The parts that are there, with `separator` between them; null without any. */
export function joined(parts: readonly (string | null)[], separator: string): string | null {
  return parts.filter((part) => part !== null && part !== '').join(separator) || null
}
