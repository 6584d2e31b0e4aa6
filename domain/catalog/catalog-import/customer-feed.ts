/** Customers of another store program. Passwords are not read. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { stateCodeOf } from '#platform/us-states.ts'
import { optional, required, text, yesNo, type Reader } from './cells.ts'
import { email, joined, moment, phone } from './contact-cells.ts'
import { makeFeed, type Feed } from './feed.ts'

const maxName = 51
const maxNote = 2_000

const state: Reader<string> = {
  expected: 'a US state, such as IL or Illinois',
  problem: 'is not a US state',
  read: (typed) => stateCodeOf(typed),
}

const zip: Reader<string> = {
  expected: 'a ZIP code of five digits',
  problem: 'is not a US ZIP code',
  read: (typed) => /^'?(\d{5})(?:-?\d{4})?$/.exec(typed)?.[1],
}

/** Text on several lines, without other control characters. */
const lines: Reader<string> = {
  expected: `text of at most ${countOf(maxNote, 'character')}`,
  problem: 'is not plain text',
  read: (typed) => (/[^\P{Cc}\n\r\t]/u.test(typed) ? undefined : typed),
}

const cells = z.object({
  email: required(email),
  first_name: optional(text(100), null),
  last_name: optional(text(100), null),
  phone: optional(phone, null),
  street: optional(text(100), null),
  street_2: optional(text(80), null),
  city: optional(text(100), null),
  state: optional(state, null),
  zip: optional(zip, null),
  consent: optional(yesNo, false),
  consent_at: optional(moment, null),
  tags: optional(text(1_000), null),
  note: optional(lines, null),
})

/**
 * Customers by email. Marketing consent counts only with its date. Tags and notes become one note of up to 2,000
 * characters.
 */
export const customerFeed: Feed = makeFeed({
  table: 'import_customer',
  columns: Object.keys(cells.shape),
  required: ['email'],
  staged: ['email', 'name', 'phone', 'street', 'city', 'state_code', 'zip', 'consented_at', 'note', 'is_known'],
  row: cells.transform(
    ({ first_name, last_name, street, street_2, state: state_code, consent, consent_at, ...row }) => ({
      email: row.email,
      name: joined([first_name, last_name], ' ')?.slice(0, maxName) ?? null,
      phone: row.phone,
      street: joined([street, street_2], ', '),
      city: row.city,
      state_code,
      zip: row.zip,
      consented_at: consent ? consent_at : null,
      note:
        joined([row.tags && `Tags: ${row.tags}`, row.note], '\n')
          ?.slice(0, maxNote)
          .toWellFormed() ?? null,
      is_known: null,
    }),
  ),
  key: cells.pick({ email: true }),
})
