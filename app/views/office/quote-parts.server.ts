/** Parts of a quote's page, with the customer's facts, the email and text message, and the progress after sending. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { readReleasedTemplate } from '#app/views/office/email-template.server.ts'
import { findPersonNamed } from '#app/views/office/customer.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { roleNames } from '#domain/customers/companies/companies.ts'
import { listExemptions, selectMemberships } from '#domain/customers/companies/companies.server.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { findEmailTemplate, previewTemplate } from '#domain/messaging/messages/messages.server.ts'
import { selectConsentState } from '#domain/messaging/texts/texts.server.ts'
import { textNumber } from '#domain/messaging/texts/texts.ts'
import { summarizeOrders } from '#domain/ordering/orders/orders.server.ts'
import { previewQuote, type Quote, type QuoteCase } from '#domain/ordering/quotes/quotes.server.ts'
import { quoteStateNames, type QuoteState } from '#domain/ordering/quotes/quotes.ts'
import { findCreditLine } from '#domain/payments/invoices/invoices.server.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

type Fact = { label: string; value: string; path?: string }

/** Returns the facts about a quote's customer that these roles may see, such as the company's terms. */
export async function customerFacts(app: Application, quote: Quote, roles: readonly StaffRole[]): Promise<Fact[]> {
  const can = (permission: Permission) => staffCan(roles, permission)
  const [company, bought] = await Promise.all([
    can('companies.read') ? companyFacts(app, quote) : [],
    can('customers.read') ? boughtFact(app, quote) : [],
  ])
  return [...company, ...bought]
}

async function companyFacts(app: Application, { accountId }: Quote): Promise<Fact[]> {
  const [membership] = accountId === null ? [] : await selectMemberships(app.db, [accountId])
  if (!membership) return []
  const { company, role } = membership
  const [line, exemptions] = await Promise.all([findCreditLine(app, company.id), listExemptions(app, company.id)])
  const states = exemptions.flatMap(({ status, state }) => (status === 'accepted' ? [state] : []))
  return [
    { label: 'Company', value: company.name, path: officePaths.officeCompany(company.id) },
    { label: 'Role', value: roleNames[role] },
    {
      label: 'Terms',
      value: line
        ? `Net ${line.netDays}, ${formatCents(Math.max(0, line.limitCents - line.openCents))} available`
        : 'Pays when ordering',
    },
    {
      label: 'Tax',
      value: states.length > 0 ? `Certificate for ${[...new Set(states)].join(', ')}` : 'Taxed, no certificate on file',
    },
  ]
}

async function boughtFact(app: Application, { email }: Quote): Promise<Fact[]> {
  const person = await findPersonNamed(app, email)
  if (!person) return []
  const [summary] = await summarizeOrders(app.db, [person.ordering], app.clock.now())
  const path = officePaths.officeCustomer(person.id)
  return [{ label: 'Bought', value: countOf(summary?.tires ?? 0, 'tire'), path }]
}

/** How a quote is sent. `texts` is about the text message, for a quote with a phone. */
export async function sendingView({ db }: Pick<Application, 'db'>, { email, phone }: Quote) {
  const number = phone === null ? undefined : textNumber(phone)
  const state = number === undefined ? undefined : await selectConsentState(db, number)
  return {
    email,
    isTexted: state === 'confirmed',
    texts: phone && `${phoneText(phone)}, ${state === 'confirmed' ? 'agreed to texts' : 'hasn’t agreed to texts'}`,
  }
}

/** Renders the email and the text message of a quote at these prices. The email is null if its template is invalid. */
export async function quotePreview(app: Application, offers: Parameters<typeof previewQuote>[1]) {
  const [{ quote }] = offers
  const [{ values, text }, { template }] = await Promise.all([
    previewQuote(app, offers),
    findEmailTemplate({ db: app.db, readTemplate: readReleasedTemplate }, 'quote'),
  ])
  const trial = { values, picturedItem: null }
  const deps = { config: app.config, readTemplate: readReleasedTemplate }
  const mail = await previewTemplate(deps, 'quote', { template, trial })
  return {
    from: app.config.mail.from,
    to: quote.email,
    origin: app.config.web.origin,
    mail: mail.ok ? { subject: mail.value.subject, html: mail.value.html } : null,
    text,
  }
}

export type QuotePreview = Awaited<ReturnType<typeof quotePreview>>

const road = ['sent', 'delivered', 'opened', 'ordered'] as const
const endStates: readonly QuoteState[] = ['expired', 'withdrawn', 'replaced']

const nextNotes: Readonly<Record<(typeof road)[number], string>> = {
  sent: 'Not yet',
  delivered: 'Not yet',
  opened: 'Not yet',
  ordered: 'Opens as a cart at these prices',
}

export type QuoteStep = { label: string; note: string; tone: Tone; isNow: boolean }

/** Returns a sent quote's steps with their times. A bounce or an end replaces its step. */
export function progressOf({ quote, events }: Pick<QuoteCase, 'quote' | 'events'>): QuoteStep[] {
  if (quote.sentAt === null || quote.mainId !== null) return []
  const steps: readonly QuoteState[] = road.map((state) => {
    if (state === 'delivered' && quote.state === 'bounced') return 'bounced'
    return state === 'ordered' && endStates.includes(quote.state) ? quote.state : state
  })
  const last = steps.findLastIndex((state) => events.some(({ to }) => to === state))
  return steps.map((state, at) => {
    const event =
      events.findLast(({ to, note }) => to === state && note === null) ?? events.findLast(({ to }) => to === state)
    const isNow = at === last
    const isWrong = state === 'bounced' || endStates.includes(state)
    return {
      label: quoteStateNames[state],
      note: event ? timeText(event.at, storeZone) : at < last ? 'Not reported' : nextNotes[road[at] ?? 'sent'],
      tone: at > last ? 'plain' : isWrong ? 'stop' : isNow && state !== 'ordered' ? 'signal' : 'go',
      isNow,
    }
  })
}
