import { data, type RouterContextProvider } from 'react-router'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { shopContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { cardConsent, renewalConsent } from '#content/messages/saved-cards.ts'
import { membershipNewsMessages, membershipWords } from '#content/messages/programs.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths, type MembershipNews } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { RenewalPanel } from '#app/ui/renewal-panel.tsx'
import { showRenewal } from '#app/views/renewal.server.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { mayTryCard, openHostedPage } from '#domain/payments/payments.server.ts'
import { INSTALL_DISCOUNT_CENTS } from '#platform/business-constants.ts'
import {
  isMembershipClosed,
  membershipGraceDays,
  membershipPriceAt,
  membershipRefundDays,
  renewalNoticeDays,
  type NoRefund,
} from '#domain/programs/programs.ts'
import {
  beginMembership,
  readMembership,
  refundMembership,
  setReminders,
  startRenewal,
  stopRenewal,
  type Membership,
} from '#domain/programs/programs.server.ts'
import {
  chargeSavedCard,
  consentWithPayment,
  findSavedCard,
  requireCustomer,
} from '#domain/saved-cards/saved-cards.server.ts'
import { findGrant } from '#domain/price-tiers/price-tiers.server.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Route } from './+types/membership.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Membership',
    description: 'Member prices on tires for a year, every deal on top. It renews only if you ask for it.',
    path: paths.membership(),
  })

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const now = shop.clock.now()
  const price = shortDollars(membershipPriceAt(now))
  const signedIn = await context.get(signedInContext)()
  const shared = { price, hasAccounts: shop.identity !== null }
  if (!signedIn)
    return data(
      { ...shared, status: { kind: 'guest' as const }, news: null, renewal: null, cardConsent: '' },
      { headers: { 'Cache-Control': 'public, s-maxage=600' } },
    )
  const [membership, grant, renewal] = await Promise.all([
    readMembership(shop, signedIn.accountId),
    findGrant(shop.db, signedIn.accountId, now),
    showRenewal(shop, signedIn.accountId),
  ])
  const hasOtherPrices = isMembershipClosed(grant?.type)
  const news = url.searchParams.get('news') ?? ''
  return data({
    ...shared,
    renewal: hasOtherPrices ? null : renewal,
    cardConsent: cardConsent(shop.config.store.name),
    status: hasOtherPrices
      ? ({ kind: 'other-prices' } satisfies Status)
      : statusOf(membership, grant?.type === 'Retail Member', renewal?.isOn ?? false),
    news: Object.hasOwn(membershipNewsMessages, news) ? membershipNewsMessages[news as MembershipNews] : null,
  })
}

/**
 * `join`: redirects to the provider's page. `refund`: refunds the unused year. `reminders`: turns reminders on or off.
 * `renewal`: stops it or lets it go on. `approve`: pays what the bank wants to ask about.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const { accountId, email } = await requireSignedIn(context, paths.membership())
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'join':
      return join(context, { accountId, email }, fields)
    case 'approve':
      return approve(context, accountId)
    case 'renewal': {
      const isWanted = fields.get('wanted') === '1'
      if (isWanted && !(await findSavedCard(shop.db, accountId))) return seeOther(serverPaths.paymentMethods())
      await (isWanted ? startRenewal(shop, accountId) : stopRenewal(shop, accountId, 'member'))
      const news = isWanted ? 'renewing' : 'stopped'
      return seeOther(fields.get('from') === 'account' ? serverPaths.paymentMethods(news) : paths.membership(news))
    }
    case 'refund': {
      const refunded = await refundMembership(shop, accountId)
      if (refunded.ok) return seeOther(paths.membership('refunded'))
      return seeOther(paths.membership(refunded.reason === 'charge-pending' ? 'charge-pending' : undefined))
    }
    case 'reminders':
      await setReminders(shop, accountId, fields.get('wanted') === '1')
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
  const shop = context.get(shopContext)
  const begun = await beginMembership(shop, accountId)
  if (!begun.ok) return seeOther(paths.membership())
  const { termId } = begun.value
  const from = context.get(visitorContext).networkKey
  const allowed = await mayTryCard(shop, { termId }, from)
  if (!allowed.ok) return seeOther(paths.membership('too-many-cards'))
  const renews = fields.get('renew') === '1'
  const customer = renews ? await requireCustomer(shop, { accountId, email }) : null
  if (customer && !customer.ok) return seeOther(paths.membership('unavailable'))
  const { origin } = shop.config.web
  const page = await openHostedPage(shop, {
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
    await consentWithPayment(shop, { accountId, paymentId: page.value.paymentId })
    await startRenewal(shop, accountId)
  } else if (fields.get('asked') === '1') await stopRenewal(shop, accountId, 'member')
  return seeOther(page.value.url)
}

/** Charges the default card with its owner here, whom the bank can ask. */
async function approve(context: Readonly<RouterContextProvider>, accountId: string) {
  const shop = context.get(shopContext)
  const [begun, card] = await Promise.all([beginMembership(shop, accountId), findSavedCard(shop.db, accountId)])
  if (!begun.ok) return seeOther(paths.membership())
  if (!card) return seeOther(serverPaths.paymentMethods())
  const { termId, priceCents: amountCents } = begun.value
  const from = context.get(visitorContext).networkKey
  const allowed = await mayTryCard(shop, { termId }, from)
  if (!allowed.ok) return seeOther(paths.membership('too-many-cards'))
  const returnUrl = `${shop.config.web.origin}${paths.membershipReturn()}?payment={payment}`
  const charged = await chargeSavedCard(shop, { termId, accountId, cardId: card.id, amountCents, returnUrl, from })
  if (charged.ok) return seeOther(charged.value.approvalUrl ?? paths.membershipReturn())
  return seeOther(paths.membership(charged.reason === 'payment-unavailable' ? 'unavailable' : 'not-paid'))
}

type Status =
  | { kind: 'guest' | 'other-prices' | 'none' | 'given' }
  | {
      kind: 'member' | 'over'
      endsOn: string
      graceUntil: string | null
      canRenew: boolean
      renews: boolean
      wantsReminders: boolean
      paid: string
      refund: { can: true } | { can: false; reason: NoRefund }
    }

/** `isMember` without a term of its own: granted by the store. */
function statusOf(membership: Membership | null, isMember: boolean, renews: boolean): Status {
  if (!membership) return { kind: isMember ? 'given' : 'none' }
  const { term, isOver, isInGrace, canRenew, refund } = membership
  return {
    kind: isOver ? 'over' : 'member',
    endsOn: storeDateText(term.endsAt),
    graceUntil: isInGrace ? storeDateText(term.endsAt.add({ hours: 24 * membershipGraceDays })) : null,
    canRenew,
    renews,
    wantsReminders: term.wantsReminders,
    paid: formatCents(term.priceCents),
    refund,
  }
}

export default function MembershipPage({ loaderData }: Route.ComponentProps) {
  const { price, hasAccounts, status, news, renewal } = loaderData
  return (
    <div className="wrap program-page">
      <header className="program-head">
        <h1>Membership</h1>
        <p className="lead">
          <b>{price}</b> for a year. Member prices on tires, every deal on top, and it renews only if you ask for it.
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
                It ends by itself after a year, unless you let it renew. Then we write to you at least{' '}
                {renewalNoticeDays} days before, and one click stops it.
              </li>
              <li>
                Not used? Your money back within {membershipRefundDays} days. Used means you ordered tires at a member
                price and did not cancel.
              </li>
              <li>
                Renew within {membershipGraceDays} days after the end and you lose no day. Until then your prices stay.
              </li>
              <li>
                Signed in, you see a tire's loyalty member price wherever it has one. Where it has none, you pay what
                everybody pays.
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
              {perks.map(([what, everybody, members]) => (
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

const perks: [string, string, string][] = [
  ['Tire prices', 'Retail price', 'Member price where there is one, never above retail'],
  ['Deals', 'Yes', 'Yes, on top of the member price'],
  ['A discount by a friend’s link', 'Yes', 'Yes, on top of the member price'],
  [`${shortDollars(INSTALL_DISCOUNT_CENTS)} off installation of four`, 'Yes', 'Yes'],
  ['After the year', 'Nothing changes', `Member prices for ${membershipGraceDays} more days`],
]

type YoursProps = { status: Status; price: string; hasAccounts: boolean; cardConsent: string }

function Yours({ status, price, hasAccounts, cardConsent }: YoursProps) {
  switch (status.kind) {
    case 'guest':
      return (
        <>
          <h2 id="yours">Join</h2>
          {hasAccounts ? (
            <>
              <p>A membership belongs to an account. Sign in first.</p>
              <form method="post" action={paths.signIn(paths.membership())} className="row wrap-row">
                <button className="btn primary large">Sign in</button>
                <button className="btn large" formAction={paths.register(paths.membership())}>
                  Create an account
                </button>
              </form>
            </>
          ) : (
            <p>This store has no accounts, and so no memberships.</p>
          )}
        </>
      )
    case 'other-prices':
      return (
        <>
          <h2 id="yours">You have prices of your own</h2>
          <p>{membershipWords['has-other-prices']}</p>
          <p>
            <a className="btn" href={paths.account()}>
              Your account
            </a>
          </p>
        </>
      )
    case 'given':
      return (
        <>
          <h2 id="yours">You are a member</h2>
          <p>It has no end date, so there is nothing to pay or renew.</p>
        </>
      )
    case 'none':
      return (
        <>
          <h2 id="yours">Join</h2>
          <p>You pay {price} once, by card, on the payment provider's page. Your year begins at once.</p>
          <PayForm words={`Join for ${price}`} renewing={{ price, cardConsent }} />
        </>
      )
    case 'over':
      return (
        <>
          <h2 id="yours">Your membership ended</h2>
          <p>It ended on {status.endsOn}. You pay regular prices now.</p>
          <PayForm words={`Join again for ${price}`} renewing={{ price, cardConsent }} />
        </>
      )
    case 'member':
      return <Member status={status} price={price} />
  }
}

function Member({ status, price }: { status: Extract<Status, { kind: 'member' | 'over' }>; price: string }) {
  const { endsOn, graceUntil, canRenew, renews, wantsReminders, paid, refund } = status
  return (
    <>
      <h2 id="yours">You are a member</h2>
      {graceUntil ? (
        <p>
          Your year ended on <b>{endsOn}</b>. Your prices stay until <b>{graceUntil}</b>.
        </p>
      ) : (
        <p>
          Until <b>{endsOn}</b>.
        </p>
      )}
      {canRenew ? <PayForm words={`Another year for ${price}`} /> : null}
      {renews ? null : (
        <form method="post">
          <input type="hidden" name="intent" value="reminders" />
          <button className="btn" name="wanted" value={wantsReminders ? '0' : '1'}>
            {wantsReminders ? 'Do not remind me before it ends' : 'Remind me before it ends'}
          </button>
        </form>
      )}
      {refund.can ? (
        <form method="post">
          <input type="hidden" name="intent" value="refund" />
          <p className="small muted">
            You paid {paid}. You have not used it, and can have it back until {membershipRefundDays} days after you
            joined.
          </p>
          <button className="btn quiet">End it now and get {paid} back</button>
        </form>
      ) : refund.reason === 'used' ? (
        <p className="small muted">{membershipWords.used}</p>
      ) : null}
    </>
  )
}

/** `renewing`: what to agree to, where renewal can be chosen along with the year. */
function PayForm({ words, renewing }: { words: string; renewing?: { price: string; cardConsent: string } }) {
  return (
    <form method="post" className="stack">
      <input type="hidden" name="intent" value="join" />
      {renewing ? (
        <>
          <input type="hidden" name="asked" value="1" />
          <label className="check">
            <input type="checkbox" name="renew" value="1" />
            <span className="small">
              {renewalConsent(renewing.price)} {renewing.cardConsent}
            </span>
          </label>
        </>
      ) : null}
      <button className="btn primary large">{words}</button>
    </form>
  )
}

function shortDollars(cents: number): string {
  return formatCents(cents).replace(/\.00$/, '')
}
