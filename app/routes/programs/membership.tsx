import { data, type RouterContextProvider } from 'react-router'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { cardConsent } from '#content/messages/saved-cards.ts'
import { membershipNewsMessages } from '#content/messages/programs.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths, type MembershipNews } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { RenewalPanel } from '#app/ui/renewal-panel.tsx'
import { showRenewal } from '#app/views/renewal.server.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { mayTryCard, openHostedPage } from '#domain/payments/payments/payments.server.ts'
import { gracefulEnd, isMembershipClosed, renewalNoticeDays } from '#domain/customers/programs/programs.ts'
import {
  beginMembership,
  readMembership,
  refundMembership,
  setReminders,
  startRenewal,
  stopRenewal,
  type Membership,
} from '#domain/customers/programs/programs.server.ts'
import {
  chargeSavedCard,
  consentWithPayment,
  findSavedCard,
  requireCustomer,
} from '#domain/payments/saved-cards/saved-cards.server.ts'
import { findGrant } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import type { MemberOffer } from '#domain/kernel/rates/rates.ts'
import { memberOffersOf } from '#domain/kernel/settings/settings.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/membership.ts'
import { shortDollars, Yours, type Status } from './membership-panels.tsx'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageHead(matches, {
    title: 'Membership',
    description: `Member prices on tires for a year${loaderData?.offers.deals ? ', every deal on top' : ''}. It renews only if you ask for it.`,
    path: paths.membership(),
  })

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const now = app.clock.now()
  const price = shortDollars(app.businessTerms.current['membership-cents'])
  const signedIn = await context.get(signedInContext)()
  const terms = app.businessTerms.current
  const discount = `${shortDollars(terms['install-discount-cents'])} off installation of ${terms['install-discount-tires']} or more`
  const shared = {
    price,
    discount,
    refundDays: terms['membership-refund-days'],
    graceDays: terms['membership-grace-days'],
    offers: memberOffersOf(terms),
    hasAccounts: app.identity !== null,
  }
  if (!signedIn)
    return data(
      { ...shared, status: { kind: 'guest' as const }, news: null, renewal: null, cardConsent: '' },
      { headers: { 'Cache-Control': 'public, s-maxage=600' } },
    )
  const [membership, grant, renewal] = await Promise.all([
    readMembership(app, signedIn.accountId),
    findGrant(app.db, signedIn.accountId, now),
    showRenewal(app, signedIn.accountId),
  ])
  const hasOtherPrices = isMembershipClosed(grant?.type)
  const news = url.searchParams.get('news') ?? ''
  return data({
    ...shared,
    renewal: hasOtherPrices ? null : renewal,
    cardConsent: cardConsent(app.config.store.name),
    status: hasOtherPrices
      ? ({ kind: 'other-prices' } satisfies Status)
      : statusOf(membership, grant?.type === 'Retail Member', renewal?.isOn ?? false),
    news: Object.hasOwn(membershipNewsMessages, news) ? membershipNewsMessages[news as MembershipNews] : null,
  })
}

/**
 * `join` redirects to the provider's page. `refund` refunds the unused year. `reminders` turns reminders on or off.
 * `renewal` turns automatic renewal on or off. `approve` completes a payment that requires bank authentication.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { accountId, email } = await requireSignedIn(context, paths.membership())
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'join':
      return join(context, { accountId, email }, fields)
    case 'approve':
      return approve(context, accountId)
    case 'renewal': {
      const isWanted = fields.get('wanted') === '1'
      if (isWanted && !(await findSavedCard(app.db, accountId))) return seeOther(serverPaths.paymentMethods())
      await (isWanted ? startRenewal(app, accountId) : stopRenewal(app, accountId, 'member'))
      const news = isWanted ? 'renewing' : 'stopped'
      return seeOther(fields.get('from') === 'account' ? serverPaths.paymentMethods(news) : paths.membership(news))
    }
    case 'refund': {
      const refunded = await refundMembership(app, accountId)
      if (refunded.ok) return seeOther(paths.membership('refunded'))
      return seeOther(paths.membership(refunded.reason === 'charge-pending' ? 'charge-pending' : undefined))
    }
    case 'reminders':
      await setReminders(app, accountId, fields.get('wanted') === '1')
      return seeOther(paths.membership('reminders'))
    default:
      return data(null, { status: 400 })
  }
}

/** Opens the provider's page; with `renew`, it saves the card too, and the membership renews with it. */
async function join(
  context: Readonly<RouterContextProvider>,
  { accountId, email }: { accountId: string; email: string | null },
  fields: URLSearchParams,
) {
  const app = context.get(applicationContext)
  const begun = await beginMembership(app, accountId)
  if (!begun.ok) return seeOther(paths.membership())
  const { termId } = begun.value
  const from = context.get(visitorContext).networkKey
  const allowed = await mayTryCard(app, { termId }, from)
  if (!allowed.ok) return seeOther(paths.membership('too-many-cards'))
  const renews = fields.get('renew') === '1'
  const customer = renews ? await requireCustomer(app, { accountId, email }) : null
  if (customer && !customer.ok) return seeOther(paths.membership('unavailable'))
  const { origin } = app.config.web
  const page = await openHostedPage(app, {
    termId,
    from,
    amountCents: begun.value.priceCents,
    email,
    description: 'Membership for a year',
    returnUrl: `${origin}${paths.membershipReturn()}?payment={payment}`,
    cancelUrl: origin + paths.membership('went-back'),
    ...(customer && { customerRef: customer.value }),
  })
  if (!page.ok) return seeOther(paths.membership(page.reason === 'declined' ? 'not-paid' : 'unavailable'))
  if (customer) {
    await consentWithPayment(app, { accountId, paymentId: page.value.paymentId })
    await startRenewal(app, accountId)
  } else if (fields.get('asked') === '1') await stopRenewal(app, accountId, 'member')
  return seeOther(page.value.url)
}

/** Charges the default card with its owner here, whom the bank can ask. */
async function approve(context: Readonly<RouterContextProvider>, accountId: string) {
  const app = context.get(applicationContext)
  const [begun, card] = await Promise.all([beginMembership(app, accountId), findSavedCard(app.db, accountId)])
  if (!begun.ok) return seeOther(paths.membership())
  if (!card) return seeOther(serverPaths.paymentMethods())
  const { termId, priceCents: amountCents } = begun.value
  const from = context.get(visitorContext).networkKey
  const allowed = await mayTryCard(app, { termId }, from)
  if (!allowed.ok) return seeOther(paths.membership('too-many-cards'))
  const returnUrl = `${app.config.web.origin}${paths.membershipReturn()}?payment={payment}`
  const charged = await chargeSavedCard(app, { termId, accountId, cardId: card.id, amountCents, returnUrl, from })
  if (charged.ok) return seeOther(charged.value.approvalUrl ?? paths.membershipReturn())
  return seeOther(paths.membership(charged.reason === 'payment-unavailable' ? 'unavailable' : 'not-paid'))
}

function statusOf(membership: Membership | null, isMember: boolean, renews: boolean): Status {
  if (!membership) return { kind: isMember ? 'given' : 'none' }
  const { term, isOver, isInGrace, canRenew, refund, refundDays, graceDays } = membership
  return {
    kind: isOver ? 'over' : 'member',
    endsOn: storeDateText(term.endsAt),
    graceUntil: isInGrace ? storeDateText(gracefulEnd({ ...term, graceDays })) : null,
    canRenew,
    renews,
    wantsReminders: term.wantsReminders,
    paid: formatCents(term.priceCents),
    refund,
    refundDays,
    graceDays,
  }
}

export default function MembershipPage({ loaderData }: Route.ComponentProps) {
  const { price, hasAccounts, status, news, renewal } = loaderData
  // A membership has the terms of the day on which it was bought.
  const { refundDays, graceDays } = status.kind === 'member' ? status : loaderData
  return (
    <div className="wrap program-page">
      <header className="program-head">
        <h1>Membership</h1>
        <p className="lead">
          <b>{price}</b> for a year. Member prices on tires{loaderData.offers.deals ? ', every deal on top' : ''}, and
          it renews only if you ask for it.
        </p>
      </header>
      {news ? (
        <p className="notice" role="status">
          {news}
        </p>
      ) : null}
      <div className="program-columns">
        <div className="stack">
          <section className="panel padded stack" aria-labelledby="yours">
            <Yours status={status} price={price} hasAccounts={hasAccounts} cardConsent={loaderData.cardConsent} />
            {renewal ? <RenewalPanel renewal={renewal} from="membership" /> : null}
          </section>
          <section className="stack" aria-labelledby="fair">
            <h2 id="fair">Kept simple</h2>
            <ul className="program-rules">
              <li>
                It ends automatically after a year unless you turn on renewal. Then we write to you at least{' '}
                {countOf(renewalNoticeDays, 'day')} before, and one click stops it.
              </li>
              <li>
                Not used? Your money back within {countOf(refundDays, 'day')}. Used means you ordered tires at a member
                price and did not cancel.
              </li>
              <li>
                Renew within {countOf(graceDays, 'day')} after the end and you lose no day. Until then your prices stay.
              </li>
              <li>
                When you're signed in, tires show their loyalty member price. Tires without one cost the regular price.
              </li>
            </ul>
          </section>
        </div>
        <section className="stack" aria-labelledby="perks">
          <h2 id="perks">What members get</h2>
          <table className="program-table">
            <thead>
              <tr>
                <th scope="col">
                  <span className="visually-hidden">What</span>
                </th>
                <th scope="col">Everybody</th>
                <th scope="col">Members</th>
              </tr>
            </thead>
            <tbody>
              {perks(loaderData, graceDays).map(([what, everybody, members]) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td>{everybody}</td>
                  <td>{members}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </div>
  )
}

type Shared = { discount: string; offers: Readonly<Record<MemberOffer, boolean>> }

const perks = ({ discount, offers }: Shared, graceDays: number): [string, string, string][] => [
  ['Tire prices', 'Retail price', 'Member price where there is one, never above retail'],
  ['Deals', 'Yes', combined(offers.deals)],
  ['Coupons, and a discount by a friend’s link', 'Yes', combined(offers.programs)],
  ['Payment offers', 'Yes', combined(offers.payments)],
  [discount, 'Yes', 'Yes'],
  ['After the year', 'Nothing changes', `Member prices for ${countOf(graceDays, 'more day')}`],
]

function combined(isOnTop: boolean): string {
  return isOnTop ? 'Yes, on top of the member price' : 'Instead of the member price, where it saves more'
}
