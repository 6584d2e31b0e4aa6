/** The part of Google's ProductInput that the sandbox takes. Other fields are refused, as unknown ones are by Google. */
import { z } from 'zod'

/** A message. An unknown field is refused unless it has its empty value, which Google's client sends. */
function message<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const isKept = ([name, value]: [string, unknown]) =>
    Object.hasOwn(shape, name) || !['', '0', 0, false, null].includes(value as string)
  return z.preprocess((given) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
    return Object.fromEntries(Object.entries(given).filter(([name, value]) => isKept([name, value]) && !isEmpty(value)))
  }, z.strictObject(shape))
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Protocol buffers in JSON have enum values by name or number. */
function named<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.union([z.enum(names), z.int().transform((at) => names[at] ?? names[0])])
}

/** 64-bit integers are text. */
const micros = z.union([z.string().regex(/^-?\d{1,18}$/), z.int().transform(String)])
const price = message({ amountMicros: micros, currencyCode: z.string().length(3) })
const address = z.url({ protocol: /^https?$/ }).max(2_000)

export const productAttributes = message({
  title: z.string().min(1).max(150),
  description: z.string().min(1).max(5_000),
  link: address,
  imageLink: address,
  availability: named([
    'AVAILABILITY_UNSPECIFIED',
    'IN_STOCK',
    'OUT_OF_STOCK',
    'PREORDER',
    'LIMITED_AVAILABILITY',
    'BACKORDER',
  ]),
  price,
  salePrice: price.optional(),
  salePriceEffectiveDate: z
    .strictObject({ startTime: z.iso.datetime({ offset: true }), endTime: z.iso.datetime({ offset: true }) })
    .optional(),
  brand: z.string().max(70).optional(),
  gtins: z.array(z.string()).max(10).optional(),
  mpn: z.string().max(70).optional(),
  identifierExists: z.boolean().optional(),
  condition: named(['CONDITION_UNSPECIFIED', 'NEW', 'USED', 'REFURBISHED']).optional(),
  size: z.string().max(100).optional(),
  itemGroupId: z.string().max(50).optional(),
  googleProductCategory: z.string().max(750).optional(),
  productTypes: z.array(z.string().max(750)).max(10).optional(),
  shippingWeight: message({ value: z.number().positive(), unit: z.enum(['lb', 'oz', 'g', 'kg']) }).optional(),
  shipping: z
    .array(
      message({
        country: z.string().length(2),
        region: z.string().optional(),
        postalCode: z.string().optional(),
        service: z.string().optional(),
        price,
      }),
    )
    .max(100)
    .optional(),
})
export type ProductAttributes = z.output<typeof productAttributes>

export const productInput = message({
  name: z.string().optional(),
  offerId: z.string().min(1).max(50),
  contentLanguage: z.string().length(2),
  feedLabel: z.string().regex(/^[A-Z0-9_-]{1,20}$/),
  productAttributes,
})

/** Returns whether the check digit of a GTIN is right: https://www.gs1.org/services/how-calculate-check-digit-manually */
export function isGtin(text: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(text)) return false
  const sum = [...text].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
