/** Terms, permissions, and forms for companies. Safe in the browser. */
import { z } from 'zod'
import { fieldMessages } from '#content/messages/fields.ts'
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import { emailAddress, localPhoneNumber } from '#domain/kernel/contact-fields/contact-fields.ts'
import { parseUsDay } from '#platform/day-text.ts'

export {
  brandsForm,
  certificateForm,
  companyListForm,
  decisionForm,
  domainForm,
  fleetPacketForm,
  paymentForm,
  resolveCustomerForm,
  termsForm,
} from './office-forms.ts'
export { companyRefusals, invitationRefusalMessages } from './company-messages.ts'
export { maskWords, poProblem, type PoRule } from './purchase-order.ts'
export { memberLimitForm, roleLimitsForm } from './limit-forms.ts'
export {
  approvalDays,
  isApprover,
  isRaised,
  isWithinLimit,
  limitOf,
  mayApprove,
  type LimitRule,
  type RoleLimits,
  type Spender,
} from './order-limits.ts'

export const companyKinds = ['fleet', 'special-order'] as const
export type CompanyKind = (typeof companyKinds)[number]
export const kindNames: Record<CompanyKind, string> = { fleet: 'Fleet', 'special-order': 'Special order' }

/** The account type of a company's members. */
export const accountTypeOf: Record<CompanyKind, AccountType> = { fleet: 'Fleet', 'special-order': 'Special Order' }

export type CompanyState = 'applied' | 'approved' | 'refused' | 'closed'

/** An owner manages it, a buyer orders for it, and a viewer, such as a bookkeeper, can only see its orders. */
export const companyRoles = ['owner', 'buyer', 'viewer'] as const
export type CompanyRole = (typeof companyRoles)[number]
export const roleNames: Record<CompanyRole, string> = { owner: 'Owner', buyer: 'Buyer', viewer: 'Viewer' }
export const roleWords: Record<CompanyRole, string> = {
  owner: 'Orders, sees every order, and runs the company here.',
  buyer: 'Orders, and sees their own orders.',
  viewer: 'Views all orders but can’t buy.',
}

const rights = {
  manage: ['owner'],
  order: ['owner', 'buyer'],
  'see-all-orders': ['owner', 'viewer'],
} as const satisfies Record<string, readonly CompanyRole[]>

/** Returns whether a role has a permission, used by the use case, the button and the page. */
export function companyCan(role: CompanyRole, action: keyof typeof rights): boolean {
  return (rights[action] as readonly CompanyRole[]).includes(role)
}

/** How long an invitation is valid. */
export const invitationDays = 14

/** Free email domains, which don't verify a company. */
const freeMail = new Set(
  'gmail.com googlemail.com yahoo.com ymail.com outlook.com hotmail.com live.com msn.com aol.com icloud.com me.com mac.com proton.me protonmail.com gmx.com gmx.net mail.com zoho.com comcast.net verizon.net att.net sbcglobal.net cox.net charter.net'.split(
    ' ',
  ),
)

/** The domain of an email address, in lowercase. */
export function mailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

export function isFreeMail(domain: string): boolean {
  return freeMail.has(domain)
}

const vehiclesMessage = 'Enter how many vehicles you buy tires for, from 1 to 100,000.'

export const applicationForm = z.object({
  kind: z.enum(companyKinds, 'Choose what describes you better.'),
  name: z
    .string('Enter the name of your company.')
    .trim()
    .min(2, 'Enter the name of your company.')
    .max(100, 'Please keep this under 100 characters.')
    .refine((name) => !/[<>{}\\]/.test(name), 'Enter the name of your company.'),
  phone: localPhoneNumber.transform(({ digits }) => digits),
  vehicles: z.coerce.number(vehiclesMessage).int(vehiclesMessage).min(1, vehiclesMessage).max(100_000, vehiclesMessage),
  about: z.string().trim().max(2_000, 'Please keep this under 2,000 characters.').default(''),
})
export type Application = z.output<typeof applicationForm>

export const invitationForm = z.object({ email: emailAddress, role: z.enum(companyRoles, 'Choose a role.') })

/** The PO rule. An empty mask allows any text. */
export const poRuleForm = z.object({
  rule: z.enum(['required', 'optional', 'off'], 'Choose one of the three.'),
  mask: z
    .string()
    .trim()
    .max(40, 'Please keep this under 40 characters.')
    .regex(/^[A-Za-z0-9#?* ./_-]*$/, 'Use letters, digits, # ? * and . / _ - only.')
    .default('')
    .transform((mask) => mask || null),
})

const dateMessage = fieldMessages.date

/** The fields of a certificate; its file is read separately. */
export const exemptionForm = z.object({
  state: z
    .string(fieldMessages.state)
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, fieldMessages.state),
  number: z
    .string('Enter the number on the certificate.')
    .trim()
    .min(1, 'Enter the number on the certificate.')
    .max(40, 'Please keep this under 40 characters.'),
  expiresOn: z
    .string(dateMessage)
    .trim()
    .transform((text, issue) => {
      const day = parseUsDay(text)
      if (day) return day
      issue.addIssue({ code: 'custom', message: dateMessage })
      return z.NEVER
    }),
})

/** The page shows it as "Net 30, up to $5,000.00". */
export type PaymentTerms = { readonly netDays: number; readonly creditLimitCents: number } | null

export const companyStates = ['applied', 'approved', 'closed', 'refused'] as const satisfies readonly CompanyState[]
