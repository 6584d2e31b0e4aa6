/**
 * The account overview, with items that need attention, the latest order, the vehicle, and the status of everything
 * else.
 */
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { listGarage } from '#domain/customers/accounts/accounts.server.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import { roleNames } from '#domain/customers/companies/companies.ts'
import {
  findCompanyOfMail,
  findMembership,
  type Membership as CompanyMembership,
} from '#domain/customers/companies/companies.server.ts'
import { findCreditLine } from '#domain/payments/invoices/invoices.server.ts'
import type { Verification } from '#domain/pricing/military/military.ts'
import { findVerification } from '#domain/pricing/military/military.server.ts'
import { creditOf } from '#domain/payments/ledger/ledger.server.ts'
import { countGuestOrders, listAccountOrders } from '#domain/ordering/orders/orders.server.ts'
import { readMembership, type Membership } from '#domain/customers/programs/programs.server.ts'
import type { Grant } from '#domain/pricing/price-tiers/price-tiers.ts'
import { findGrant } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { dateText, dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import { pluralForm } from '#platform/count-text.ts'
import type { Application } from '#application'
import { termsView, type TermsView } from './account-terms.tsx'
import { garageView, type VehicleView } from './garage-view.server.ts'
import { orderCard, type OrderCard } from './order-card.ts'

/** Something the owner needs to do, and the page to do it on. */
export type Waiting = { words: string; action: string; path: string }
/** One line of the account's status, and the page with the details. */
export type Status = { term: string; words: string; action: string; path: string }

export type Overview = {
  waiting: Waiting[]
  order: OrderCard | null
  /** The selected one, otherwise the one used last. */
  vehicle: VehicleView | null
  hasMoreVehicles: boolean
  statuses: Status[]
  terms: TermsView | null
}

export async function accountOverview(app: Application, visitor: Visitor, signedIn: SignedIn): Promise<Overview> {
  const { accountId } = signedIn
  const now = app.clock.now()
  const [{ orders }, unclaimed, garage, creditCents, membership, company, offer, grant, verified] = await Promise.all([
    listAccountOrders(app, accountId),
    countGuestOrders(app, accountId),
    listGarage(app, accountId),
    creditOf(app.db, accountId),
    readMembership(app, accountId),
    findMembership(app, accountId),
    findCompanyOfMail(app, signedIn),
    findGrant(app.db, accountId, now),
    findVerification(app, accountId),
  ])
  const overdueCents =
    company?.company.state === 'approved' ? ((await findCreditLine(app, company.company.id))?.overdueCents ?? 0) : 0
  const vehicles = await Promise.all(garage.map((vehicle) => garageView(app, visitor, vehicle)))
  const cards = orders.map((order) => orderCard(order, now))
  return {
    waiting: [
      ...waitingOrders(cards, unclaimed),
      ...(overdueCents > 0
        ? [
            {
              words: `Your company has invoices overdue: ${formatCents(overdueCents)}.`,
              action: 'See invoices',
              path: paths.companyInvoices(),
            },
          ]
        : []),
      ...waitingEmail(app, signedIn),
      ...vehicles.filter(({ rotation }) => rotation.isDue).map(waitingRotation),
      ...(offer && !company
        ? [{ words: `With your email you can buy for ${offer.name}.`, action: 'Join', path: paths.company() }]
        : []),
      ...(membership?.canRenew && !membership.isOver
        ? [{ words: `Your membership ${endWords(membership)}.`, action: 'Renew it', path: paths.membership() }]
        : []),
    ],
    order: cards[0] ?? null,
    vehicle: vehicles.find(({ isInUse }) => isInUse) ?? vehicles[0] ?? null,
    hasMoreVehicles: vehicles.length > 1,
    statuses: [
      creditStatus(creditCents),
      ...membershipStatus(membership, grant),
      companyStatus(company),
      ...militaryStatus(app, verified),
    ],
    terms: termsView(grant),
  }
}

function waitingOrders(cards: OrderCard[], unclaimed: number): Waiting[] {
  return [
    ...cards.flatMap(({ number, confirmHref }) =>
      confirmHref === null
        ? []
        : [{ words: `Order ${number} is waiting for your confirmation.`, action: 'Confirm it', path: confirmHref }],
    ),
    ...(unclaimed > 0
      ? [
          {
            words: pluralForm(
              unclaimed,
              'One order was placed as a guest with your email.',
              `${unclaimed} orders were placed as a guest with your email.`,
            ),
            action: pluralForm(unclaimed, 'Add it', 'Add them'),
            path: paths.myOrders(),
          },
        ]
      : []),
  ]
}

/** The provider sends the verification email again. */
function waitingEmail({ identity, config }: Application, { email, isEmailVerified }: SignedIn): Waiting[] {
  if (email === null || isEmailVerified) return []
  const path =
    identity?.profilePage('edit-profile', `${config.web.origin}${paths.account({ changed: true })}`) ?? paths.myOrders()
  return [{ words: 'Verify your email with the link in the email we sent you.', action: 'Send it again', path }]
}

function waitingRotation({ id, name }: VehicleView): Waiting {
  return {
    words: `The tires on your ${name} are due for rotation.`,
    action: 'Log it',
    path: `${paths.myGarage(id)}#vehicle-${id}`,
  }
}

function creditStatus(cents: number): Status {
  const words = formatCents(cents)
  return cents > 0
    ? { term: 'Store credit', words, action: 'Where it comes from', path: paths.advocateDashboard() }
    : { term: 'Store credit', words, action: 'Refer a friend, earn some', path: paths.invite() }
}

function militaryStatus({ eligibility }: Application, verified: Verification | undefined): Status[] {
  const term = 'Military discount'
  const path = serverPaths.militaryVerify()
  if (verified)
    return [
      {
        term,
        words: `Verified until ${dateText(storeDay(verified.endsAt).toString())}`,
        action: 'See or remove',
        path,
      },
    ]
  return eligibility ? [{ term, words: 'Not verified', action: 'Verify', path }] : []
}

/** Accounts with contract pricing can't buy a membership, so it isn't offered. */
function membershipStatus(membership: Membership | null, grant: Grant | undefined): Status[] {
  const term = 'Membership'
  const path = paths.membership()
  if (membership && !membership.isOver) {
    const words = endWords(membership)
    return [{ term, words: words.charAt(0).toUpperCase() + words.slice(1), action: 'Your membership', path }]
  }
  if (grant?.type === 'Retail Member') return [{ term, words: 'Member', action: 'Your membership', path }]
  if (grant && grant.type !== 'Retail') return []
  return [{ term, words: 'None', action: 'What members get', path }]
}

function endWords({ term, isInGrace }: Membership): string {
  const end = storeDay(term.endsAt)
  return `${isInGrace ? 'ended' : 'ends'} ${dayText(end)}, ${end.year}`
}

function companyStatus(membership: CompanyMembership | undefined): Status {
  const term = 'Company'
  if (!membership) return { term, words: 'None', action: 'Buy as a business', path: paths.business() }
  const { company, role } = membership
  const words = {
    approved: roleNames[role],
    applied: 'We are reviewing your application',
    refused: 'Not approved',
    closed: 'Closed',
  }[company.state]
  return { term, words: `${company.name}. ${words}.`, action: 'Your company', path: paths.company() }
}
