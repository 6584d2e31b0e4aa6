import { renewalConsent } from '#content/messages/saved-cards.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import type { RenewalShown } from '#app/views/renewal.server.ts'

/** A membership's renewal date and payment method, with the button that stops or resumes it. */
export function RenewalPanel({ renewal, from }: { renewal: RenewalShown; from: 'membership' | 'account' }) {
  const { isOn, amount, chargeOn, card } = renewal
  return (
    <section className="stack renewal" aria-labelledby="renewal">
      <h2 id="renewal">Membership renewal</h2>
      {isOn ? <Terms renewal={renewal} /> : <p>Your membership doesn’t renew automatically.</p>}
      {renewal.isUnapproved && isOn && card ? (
        <form method="post" action={paths.membership()}>
          <input type="hidden" name="intent" value="approve" />
          <p className="small">Your bank wants to ask you before it pays.</p>
          <button className="btn primary">Approve {amount} now</button>
        </form>
      ) : null}
      <form method="post" action={paths.membership()} className="stack">
        <input type="hidden" name="intent" value="renewal" />
        <input type="hidden" name="from" value={from} />
        {isOn ? (
          <p>
            <button className="btn" name="wanted" value="0">
              Stop the renewal
            </button>
          </p>
        ) : card ? (
          <>
            <p className="small muted">{renewalConsent(amount)}</p>
            <p>
              <button className="btn" name="wanted" value="1">
                Renew from {chargeOn} with {card}
              </button>
            </p>
          </>
        ) : (
          <p className="small muted">
            To let it renew, <a href={serverPaths.paymentMethods()}>save a card</a> first.
          </p>
        )}
      </form>
    </section>
  )
}

function Terms({ renewal: { amount, chargeOn, card, hasExpiredCard, isLate } }: { renewal: RenewalShown }) {
  return (
    <>
      <p>
        {isLate ? 'We try again' : 'It renews'} on <b>{chargeOn}</b> for <b>{amount}</b>
        {card ? ` with your ${card}` : ''}.
      </p>
      {hasExpiredCard || !card ? (
        <p className="notice">
          {hasExpiredCard ? 'This card has expired.' : 'You have no saved card.'}{' '}
          <a href={serverPaths.paymentMethods()}>Add a card</a> before then.
        </p>
      ) : null}
    </>
  )
}
