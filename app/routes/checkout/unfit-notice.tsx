/** Explains why the tires don't fit and can't be installed, and lists the alternatives. */
import { paths } from '#content/paths.ts'
import type { RefusalView } from '#app/routes/checkout/shipping-view.server.ts'

export function UnfitNotice({ refusal: { vehicle, headline, fitting } }: { refusal: RefusalView }) {
  return (
    <p className="error-summary" role="alert">
      <b>We won&apos;t install this on your {vehicle}.</b> {headline}{' '}
      {fitting ? <a href={fitting}>See tires that fit</a> : <a href={paths.cart()}>Change your cart</a>} or{' '}
      <a href={paths.checkoutShipping('home')}>ship to me</a>.
    </p>
  )
}
