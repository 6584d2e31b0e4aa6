/** The forms of coupons. Safe in the browser. */
import { z } from 'zod'
import { parseDollars } from '#platform/money.ts'
import {
  amountFaults,
  filterFields,
  officeText,
  readAmount,
  replacesField,
  subjectField,
  versionField,
  yesOrNo,
} from '#domain/catalog/promotions/promotions.ts'

export const couponKindNames = {
  'Flat Amount': 'Dollars off the order',
  Percentage: 'Percent off tires',
  Buy3Get1: 'Buy 3, get the cheapest 1 free',
  Free: 'A tire or service free',
} as const

/** Services a Free coupon can make free, in addition to tires, with their names. */
export const freeServices = {
  installation: 'installation',
  disposal: 'old tire disposal',
  coverage: 'replacement coverage',
  roadside: 'roadside assistance',
  shipping: 'shipping',
} as const
export type FreeService = keyof typeof freeServices

export function isFreeService(word: string): word is FreeService {
  return Object.hasOwn(freeServices, word)
}

/** A code as shoppers type it, in any case, with surrounding spaces and dashes. */
export const couponCode = z
  .string('Enter a code of 4 to 20 letters and digits.')
  .trim()
  .max(40, 'Enter a code of 4 to 20 letters and digits.')
  .transform((typed) => typed.toUpperCase().replaceAll(/[\s-]/g, ''))
  .refine((code) => /^[A-Z0-9]{4,20}$/.test(code), 'Enter a code of 4 to 20 letters and digits.')

/** The cart's form. */
export const couponForm = z.object({ coupon: couponCode })

const wholeNumber = (most: number, message: string) =>
  z
    .string(message)
    .trim()
    .regex(/^\d{1,7}$/, message)
    .transform(Number)
    .refine((number) => number >= 1 && number <= most, message)
    .meta({ formUnit: 'number' })

const couponFields = {
  code: couponCode,
  name: officeText(3, 80),
  kind: z.enum(['Flat Amount', 'Buy3Get1', 'Free', 'Percentage'], 'Choose what it takes off.'),
  amount: z.string().trim().max(14).default(''),
  subject: subjectField,
  ...filterFields,
  fundedBy: z.enum(['store', 'maker', 'lender', 'bank'], 'Choose who pays.'),
  stacks: yesOrNo,
  minimum: z
    .string()
    .trim()
    .max(14)
    .default('')
    .transform((typed, issues) => {
      const cents = typed === '' ? null : parseDollars(typed)
      if (cents === null || (cents !== undefined && cents >= 1 && cents <= 1_000_000)) return cents
      issues.addIssue({ code: 'custom', message: 'Enter dollars from 0.01 to 10,000, or leave blank.' })
      return z.NEVER
    })
    .meta({ formUnit: 'cents' }),
  advertised: yesOrNo.default(false),
  usesMost: wholeNumber(1_000_000, 'Enter 1 to 1,000,000 uses.'),
  personMost: wholeNumber(100, 'Enter 1 to 100 uses.'),
}

function readTerms<Draft extends { kind: keyof typeof couponKindNames; amount: string }>(
  { amount: typed, ...draft }: Draft,
  issues: z.RefinementCtx,
): Omit<Draft, 'amount'> & { amount: number } {
  const amount = readAmount(draft.kind, typed)
  const message =
    draft.kind === 'Flat Amount' ? 'Enter dollars off the order, from 0.01 to 1,000.' : amountFaults[draft.kind]
  if (amount === undefined) issues.addIssue({ code: 'custom', path: ['amount'], message })
  return { ...draft, amount: amount ?? 0 }
}

export const couponDraftForm = z
  .object({ formKey: z.uuid(), ...couponFields, replaces: replacesField })
  .transform(readTerms)
export type CouponDraft = z.output<typeof couponDraftForm>

/** Why the subject of a coupon is refused. */
export const couponSubjectMessages = {
  'no-subject': 'Enter a SKU, a model as brand/model, or a brand.',
  'not-free': `Enter the free item, as a SKU or ${Object.keys(freeServices).join(', ')}.`,
} as const

/** The form that changes a draft. */
export const couponChangeForm = z.object({ ...couponFields, version: versionField }).transform(readTerms)
export type CouponChange = z.output<typeof couponChangeForm>
