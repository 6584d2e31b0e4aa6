/** A company as staff see it, with details, members, balance and certificates. */
import type { FieldOptions } from '#app/ui/select-options.tsx'
import { memberLimitView } from '#app/ui/member-limit-form.tsx'
import { kindNames, roleNames, type CompanyState } from '#domain/customers/companies/companies.ts'
import {
  findCompany,
  findCompanyPriceList,
  listCompanyBrands,
  listExemptions,
  listMembers,
  type Company,
} from '#domain/customers/companies/companies.server.ts'
import { listFleetQuotes } from '#domain/channels/fleet-quotes/fleet-quotes.server.ts'
import { listPriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { findCreditLine, listInvoices, type ListedInvoice } from '#domain/payments/invoices/invoices.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { isId } from '#platform/ids.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents, typedDollars } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDateText, storeDay } from '#platform/store-zone.ts'
import type { Application } from '#application'

/** Reads a company for its page; undefined if it doesn't exist. */
export async function readOfficeCompany(app: Application, id: string) {
  const company = isId(id) ? await findCompany(app, id) : undefined
  if (!company) return undefined
  const [{ members }, brands, line, { invoices, hasMore }, exemptions, list, lists, fleetQuotes] = await Promise.all([
    listMembers(app, id),
    listCompanyBrands(app, id),
    findCreditLine(app, id),
    listInvoices(app, id),
    listExemptions(app, id),
    findCompanyPriceList(app, id),
    listPriceLists(app, null),
    listFleetQuotes(app, id),
  ])
  const today = storeDay(app.clock.now())
  return {
    id,
    name: company.name,
    state: company.state,
    facts: factsOf(company),
    about: company.about,
    decisions: decisionsIn[company.state],
    terms: company.terms && {
      days: String(company.terms.netDays),
      limit: (company.terms.creditLimitCents / 100).toFixed(2),
    },
    resolveCustomerId: company.resolveCustomerId,
    hasFleetPackets: company.hasFleetPackets,
    limits: {
      owner: company.limits.owner === null ? '' : typedDollars(company.limits.owner),
      buyer: company.limits.buyer === null ? '' : typedDollars(company.limits.buyer),
    },
    spenders: members.filter(({ role }) => role !== 'viewer').map((member) => memberLimitView(member, company.limits)),
    owed: line && {
      open: formatCents(line.openCents),
      overdue: line.overdueCents > 0 ? formatCents(line.overdueCents) : null,
      limit: formatCents(line.limitCents),
    },
    brands,
    list: list ?? '',
    lists: listsOf(lists.items, list),
    members: members.map(({ accountId, name, email, role, joinedAt }) => ({
      id: accountId,
      who: name ?? email ?? 'Deleted account',
      email: email ?? '',
      role: roleNames[role],
      joined: storeDateText(joinedAt),
    })),
    invoices: invoices.map(invoiceRow),
    hasMoreInvoices: hasMore,
    certificates: exemptions.map(({ id: certificateId, state, number, expiresOn, status }) => ({
      id: certificateId,
      state,
      number,
      expires: dateText(expiresOn.toString()),
      status,
    })),
    fleetQuotes: fleetQuotes.map((quote) => fleetQuoteRow(quote, today)),
  }
}

/** Returns the first fifty price lists by slug for selection, and always the assigned one. */
function listsOf(lists: readonly { slug: string; name: string }[], chosen: string | null): FieldOptions {
  const named: [string, string][] = [['', 'Same as its members’ account type'], ...lists.map(nameOf)]
  const isKnown = chosen === null || lists.some(({ slug }) => slug === chosen)
  return isKnown ? named : [...named, [chosen, chosen]]
}

function nameOf({ slug, name }: { slug: string; name: string }): [string, string] {
  return [slug, name]
}

export type OfficeCompany = NonNullable<Awaited<ReturnType<typeof readOfficeCompany>>>

function factsOf({ kind, phone, vehicles, appliedAt, po }: Company): [string, string][] {
  return [
    ['Kind', kindNames[kind]],
    ['Phone', phoneText(phone)],
    ['Vehicles', String(vehicles)],
    ['Applied', storeDateText(appliedAt)],
    ['PO numbers', { required: 'Required', optional: 'Optional', off: 'Not used' }[po.rule]],
  ]
}

/** Possible decisions by state; see `decideCompany`. */
const decisionsIn: Record<CompanyState, readonly ('approve' | 'refuse' | 'close')[]> = {
  applied: ['approve', 'refuse'],
  approved: ['close'],
  closed: ['approve'],
  refused: [],
}

type ListedFleetQuote = Awaited<ReturnType<typeof listFleetQuotes>>[number]

function fleetQuoteRow({ id, createdAt, vehicles, goodThrough }: ListedFleetQuote, today: Temporal.PlainDate) {
  const isOver = goodThrough !== null && Temporal.PlainDate.compare(goodThrough, today) < 0
  const day = goodThrough && dateText(goodThrough.toString())
  return {
    id,
    begun: storeDateText(createdAt),
    vehicles: String(vehicles),
    prices: day === null ? 'Not held yet' : `${isOver ? 'Ended' : 'Held through'} ${day}`,
    isOver,
  }
}

function invoiceRow({ orderId, amountCents, paidCents, issuedOn, dueOn, state, poNumber, isOverdue }: ListedInvoice) {
  const open = isOverdue ? `Overdue since ${dateText(dueOn)}` : `Due ${dateText(dueOn)}`
  return {
    orderId,
    number: orderNumber(orderId),
    issued: dateText(issuedOn),
    poNumber: poNumber ?? '',
    amount: formatCents(amountCents),
    left: state === 'open' ? formatCents(amountCents - paidCents) : '',
    leftDollars: ((amountCents - paidCents) / 100).toFixed(2),
    state: { open, paid: 'Paid', canceled: 'Canceled' }[state],
    isOpen: state === 'open',
    isOverdue,
  }
}
