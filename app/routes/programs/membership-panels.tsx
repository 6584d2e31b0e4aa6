/** Panels where members join, pay, renew, and cancel. */
import { renewalConsent } from '#content/messages/saved-cards.ts'
import { membershipWords } from '#content/messages/programs.ts'
import { paths } from '#content/paths.ts'
import type { NoRefund } from '#domain/customers/programs/programs.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'

export type Status =
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
      refundDays: number
      graceDays: number
    }

/** `isMember` without a term means that the store granted the membership. */
type YoursProps = { status: Status; price: string; hasAccounts: boolean; cardConsent: string }

export function Yours({ status, price, hasAccounts, cardConsent }: YoursProps) {
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
          <h2 id="yours">You have custom prices</h2>
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
          <p>It has no end date, so you don’t need to pay or renew.</p>
        </>
      )
    case 'none':
      return (
        <>
          <h2 id="yours">Join</h2>
          <p>You pay {price} once, by card, on the payment provider's page. Your year starts immediately.</p>
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
  const { endsOn, graceUntil, canRenew, renews, wantsReminders, paid, refund, refundDays } = status
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
            You paid {paid}. You have not used it, and can have it back until {countOf(refundDays, 'day')} after you
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

export function shortDollars(cents: number): string {
  return formatCents(cents).replace(/\.00$/, '')
}
