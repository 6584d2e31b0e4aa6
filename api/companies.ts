/** The caller's company and the caller's role in it. */
import { z } from 'zod'
import { signedInOf, type Caller } from '#api/caller.ts'
import { problem, type Problem } from '#api/problem.ts'
import { cents } from '#api/schemas.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import { companyCan, companyKinds, companyRoles } from '#domain/customers/companies/companies.ts'
import {
  findCompanyOfMail,
  findMembership,
  listCompanyBrands,
  type Membership,
} from '#domain/customers/companies/companies.server.ts'
import { creditToSpend, type CreditLine } from '#domain/payments/invoices/invoices.ts'
import { findCreditLine } from '#domain/payments/invoices/invoices.server.ts'
import type { Application } from '#application'

export const role = z.enum(companyRoles).meta({ examples: ['buyer'] })

export const poRule = z
  .strictObject({
    rule: z.enum(['required', 'optional', 'off']),
    mask: z.string().nullable().meta({ description: '# is a digit, ? a letter, * either. Null accepts any text.' }),
  })
  .meta({ id: 'PoRule' })

const terms = z
  .strictObject({
    netDays: z.int().meta({ description: 'Days after the order until payment is due' }),
    limitCents: cents,
    openCents: cents.meta({ description: 'Amount owed' }),
    overdueCents: cents.meta({ description: 'The part of it that is past due' }),
    leftCents: cents.meta({ description: 'Remaining credit; zero while anything is overdue' }),
  })
  .meta({ id: 'PaymentTerms' })

export const company = z
  .strictObject({
    status: z
      .enum(['none', 'applied', 'approved', 'refused', 'closed'])
      .meta({ description: 'Status of the application; `none` without one' }),
    name: z.string().nullable(),
    offer: z.string().nullable().meta({ description: 'The company that the account can join with its verified email' }),
    membership: z
      .strictObject({
        kind: z.enum(companyKinds),
        role,
        may: z.strictObject({ manage: z.boolean(), order: z.boolean(), seeAllOrders: z.boolean() }),
        poRule,
        terms: terms.nullable().meta({ description: 'Null for a company without payment terms' }),
        brands: z.array(z.string()).nullable().meta({ description: 'The brands the company can buy; null for all' }),
      })
      .nullable()
      .meta({ description: 'Null until the company is approved' }),
  })
  .meta({ id: 'Company' })

/** Returns the caller's approved company; operations about a company, like its pages, are for its members only. */
export async function ownCompany(
  app: Application,
  caller: Caller,
): Promise<({ ok: true; person: SignedIn } & Membership) | Problem<'NoCompany'>> {
  const person = await signedInOf(caller)
  const membership = await findMembership(app, person.accountId)
  return membership?.company.state === 'approved' ? { ok: true, person, ...membership } : problem('NoCompany')
}

export async function companyView(app: Application, person: SignedIn): Promise<z.input<typeof company>> {
  const found = await findMembership(app, person.accountId)
  if (!found)
    return {
      status: 'none',
      name: null,
      offer: (await findCompanyOfMail(app, person))?.name ?? null,
      membership: null,
    }
  const { name, state, kind, po } = found.company
  if (state !== 'approved') return { status: state, name, offer: null, membership: null }
  const [brands, line] = await Promise.all([
    listCompanyBrands(app, found.company.id),
    findCreditLine(app, found.company.id),
  ])
  const may = {
    manage: companyCan(found.role, 'manage'),
    order: companyCan(found.role, 'order'),
    seeAllOrders: companyCan(found.role, 'see-all-orders'),
  }
  return {
    status: state,
    name,
    offer: null,
    membership: { kind, role: found.role, may, poRule: { ...po }, terms: line && termsView(line), brands },
  }
}

function termsView(line: CreditLine): z.input<typeof terms> {
  const { netDays, limitCents, openCents, overdueCents } = line
  return { netDays, limitCents, openCents, overdueCents, leftCents: creditToSpend(line) }
}
