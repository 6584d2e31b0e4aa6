import { expect, test } from 'vitest'
import { z } from 'zod'
import { check } from './check.ts'

const of = (field: z.ZodType) => z.strictObject({ field })
const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .meta({ examples: ['2026-11-24'] })

/** One row for each of zod's issue codes, and more where the wording differs. */
test.for<[code: string, schema: z.ZodType, sent: unknown, words: string]>([
  ['invalid_type', z.string(), 1, 'Send `field` as text.'],
  ['invalid_type', z.string().min(1).max(80), undefined, 'Send `field` as text of 1 to 80 characters.'],
  ['invalid_type', z.array(z.string()).min(1), {}, 'Send `field` as a list of at least 1 entry.'],
  ['invalid_type', z.int().min(1).max(40), '4', 'Send `field` as a whole number from 1 to 40.'],
  ['invalid_type', z.int(), 1.5, 'Send `field` as a whole number.'],
  ['invalid_type', z.coerce.number(), 'four', 'Send `field` as a number.'],
  ['invalid_type', z.boolean(), 'yes', 'Send `field` as true or false.'],
  ['invalid_type', z.strictObject({}), [], 'Send `field` as an object.'],
  ['invalid_type', z.date(), 1, 'Send `field` as documented.'],
  ['invalid_type', z.null(), 1, 'Send `field` as null.'],
  ['invalid_type', z.never(), 1, 'Leave out `field`.'],
  ['too_small', z.int().min(1).max(40), 0, 'Send `field` as a whole number from 1 to 40.'],
  ['too_small', z.number().min(1), 0, 'Send `field` as a number of at least 1.'],
  ['too_small', z.number().gt(0), 0, 'Send `field` as a number above 0.'],
  ['too_small', z.string().length(5), '606', 'Send `field` as text of exactly 5 characters.'],
  ['too_big', z.coerce.number().int().min(1).max(40), '41', 'Send `field` as a whole number from 1 to 40.'],
  ['too_big', z.number().gt(0).max(5), 6, 'Send `field` as a number above 0 and of at most 5.'],
  ['too_big', z.number().lt(5), 6, 'Send `field` as a number below 5.'],
  ['too_big', z.string().max(1), 'abc', 'Send `field` as text of at most 1 character.'],
  ['too_big', z.array(z.string()).max(2), ['a', 'b', 'c'], 'Send `field` as a list of at most 2 entries.'],
  ['invalid_format', z.string().regex(/^[a-z]+$/), '1', 'Send `field` as text that matches `^[a-z]+$`.'],
  ['invalid_format', day, 'soon', 'Send `field` as text such as `2026-11-24`.'],
  ['not_multiple_of', z.number().multipleOf(5), 7, 'Send `field` as a number, a multiple of 5.'],
  [
    'unrecognized_keys',
    z.strictObject({}),
    { a: 1, b: 2 },
    'Leave out `field.a` and `field.b`: there is no such field.',
  ],
  ['invalid_value', z.enum(['all', 'front', 'rear']), 'left', 'Send `field` as one of `all`, `front`, `rear`.'],
  ['invalid_value', z.literal(1), 2, 'Send `field` as `1`.'],
  ['invalid_union', z.union([z.string(), z.number()]), null, 'Send `field` as text or a number.'],
  [
    'invalid_union',
    z.union([z.int().min(1), z.array(z.string())]),
    null,
    'Send `field` as a whole number of at least 1 or a list.',
  ],
  [
    'invalid_union',
    z.discriminatedUnion('as', [z.object({ as: z.literal('1') }), z.object({ as: z.literal('0') })]),
    { as: '2' },
    'Send `field.as` as one of `1`, `0`.',
  ],
  ['invalid_key', z.record(z.string().max(3), z.string()), { long: 'x' }, 'Give `field.long` another name.'],
  ['invalid_element', z.map(z.object({}), z.string()), new Map([[{}, 1]]), 'Send `field` as documented.'],
  ['custom', z.string().refine(() => false), 'x', 'Send `field` as documented.'],
])('$0 in plain words: $3', ([code, schema, sent, words]) => {
  expect(
    of(schema)
      .safeParse({ field: sent })
      .error?.issues.map((issue) => issue.code),
  ).toEqual([code])
  expect(check(of(schema), { field: sent })).toMatchObject({ ok: false, code: 'BadRequest', message: words })
})

test('a schema’s own message is kept, every field has an error, and the whole body has a name', () => {
  const schema = z.strictObject({ zip: z.string('Please enter valid US Zip Code'), quantity: z.int() })
  expect(check(schema, { zip: 1 })).toMatchObject({
    message: 'Please enter valid US Zip Code',
    data: { zip: 'Please enter valid US Zip Code', quantity: 'Send `quantity` as a whole number.' },
  })
  expect(check(schema, [])).toMatchObject({ data: { body: 'Send the body as an object.' } })
  expect(check(z.strictObject({}), { size: 1 }, 'query')).toMatchObject({
    data: { query: 'Leave out `size`: there is no such field.' },
  })
})
