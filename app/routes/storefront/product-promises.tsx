import { capabilities } from '#app/content/capabilities.ts'
import { paths } from '#content/paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import { countOf } from '#platform/count-text.ts'
import type { PromisesView } from './product-view.ts'

/** What shipping, returns and coverage cost, stated up front. */
export function ProductPromises({
  promises: { shipping, plan, coverage, returnDays, itemId },
}: {
  promises: PromisesView
}) {
  return (
    <ul className="promises small">
      <li>
        <Icon name="truck" />
        <span>
          {shipping}{' '}
          <a className="small" id="shipping-cost" href={`/shipping-cost?item=${itemId}`} data-interaction="modal">
            What shipping costs
          </a>
        </span>
      </li>
      <li>
        <Icon name="parcel" />
        <span>
          {countOf(returnDays, 'day')} to <a href={paths.written('returns-and-refunds')}>return unmounted tires</a>, and
          a <a href={paths.priceGuarantee()}>price guarantee</a>.
        </span>
      </li>
      <li>
        <Icon name="shield" />
        <span>
          {plan}, {coverage} a tire, if you want it at checkout.{' '}
          <a className="small" id="warranty" href={paths.warranties(itemId)} data-interaction="modal">
            What the warranties cover
          </a>
        </span>
      </li>
      <li>
        <Icon name="calendar" />
        <span>
          {capabilities.payLater ? 'Cards, or later in installments.' : 'Cards, charged when your order ships.'}{' '}
          <a href={paths.written('financing')}>Ways to pay</a>
        </span>
      </li>
    </ul>
  )
}
