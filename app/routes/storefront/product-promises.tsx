import { useRef } from 'react'
import { paths } from '#app/paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { ProductView } from './product-view.ts'

/** What shipping and coverage cost, told before anyone asks. */
export function ProductPromises({ coverage, shipping, oversizeLb, returnDays }: Pick<ProductView, 'coverage' | 'shipping' | 'oversizeLb' | 'returnDays'>) {
  return (
    <ul className="promises small">
      <li>
        <Icon name="truck" />
        <span>
          Free shipping in the 48 states. <ShippingCost rows={shipping} oversizeLb={oversizeLb} />
        </span>
      </li>
      <li>
        <Icon name="parcel" />
        <span>
          {returnDays} days to <a href={paths.written('returns-and-refunds')}>return unmounted tires</a>, and a{' '}
          <a href={paths.written('price-guarantee')}>price guarantee</a>.
        </span>
      </li>
      <li>
        <Icon name="shield" />
        <details>
          <summary>
            Replacement coverage, {coverage.price} a tire <span className="muted">(optional, at checkout)</span>
          </summary>
          <ul>
            {coverage.terms.map((term) => (
              <li key={term}>{term}</li>
            ))}
          </ul>
        </details>
      </li>
    </ul>
  )
}

/** A modal dialog with script; without it the same element opens as a popover. */
function ShippingCost({ rows, oversizeLb }: { rows: ProductView['shipping']; oversizeLb: number }) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        className="link small"
        type="button"
        popoverTarget="shipping-cost"
        onClick={(event) => {
          event.preventDefault()
          dialog.current?.showModal()
        }}
      >
        What shipping costs
      </button>
      <dialog className="modal" id="shipping-cost" popover="auto" ref={dialog} aria-labelledby="shipping-cost-title">
        <h2 id="shipping-cost-title">What shipping costs</h2>
        <table className="shipping-cost tabular">
          <thead>
            <tr>
              <th scope="col">To</th>
              <th scope="col">Per tire</th>
              <th scope="col">Over {oversizeLb} lb</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ where, perTire, oversize }) => (
              <tr key={where}>
                <th scope="row">{where}</th>
                <td>{perTire}</td>
                <td>{oversize}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="small muted">There is no handling fee. We do not ship to PO boxes or military post offices.</p>
        <button className="btn quiet wide" type="button" popoverTarget="shipping-cost" popoverTargetAction="hide" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  )
}
