import type { OfferView } from '#app/routes/checkout/financing-view.server.ts'
import { paidOnDelivery } from '#content/messages/financing.ts'

/** Renders the financing terms as the lender states them. */
export function FinancingOffer({ offer }: { offer: OfferView | null }) {
  return (
    <>
      {offer ? (
        <div className="stack">
          <p className="strong">{offer.headline}</p>
          <dl className="offer-rows tabular">
            {offer.rows.map(({ label, amount }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{amount}</dd>
              </div>
            ))}
          </dl>
          <p className="small muted">{offer.disclosure}</p>
        </div>
      ) : null}
      <p className="small muted">{paidOnDelivery}</p>
    </>
  )
}
