import { requireCart } from '#app/views/checkout.server.ts'
import { readForm } from '#app/forms/form.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { changeSavings, enterCouponFromForm } from './coupon-form.server.ts'
import { readSavings } from './savings.server.ts'
import { Savings } from './savings.tsx'
import type { Route } from './+types/coupons.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Coupons',
    description: 'Enter a coupon for the tires in your cart.',
    path: serverPaths.cartCoupons(),
    isIndexed: false,
  })

/** The coupon page of the cart. */
export async function loader({ context }: Route.LoaderArgs) {
  const { app, cart } = await requireCart(context)
  const { contact } = await readDetails(app, cart.id)
  return { savings: await readSavings(app, cart, await quoteCart(app, cart, contact), 'cart') }
}

/** Enters the posted code in the cart, or removes its coupon, and leads to the cart. */
export async function action({ request, context }: Route.ActionArgs) {
  const { cart } = await requireCart(context)
  const fields = await readForm(request)
  const about = { cartId: cart.id, next: paths.cart() }
  return (await changeSavings(context, about, fields)) ?? enterCouponFromForm(context, about, fields)
}

export default function Coupons({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>Your coupon</h1>
      <Savings savings={loaderData.savings} reply={actionData} />
      <p>
        <a href={paths.cart()}>Back to your cart</a>
      </p>
    </div>
  )
}
