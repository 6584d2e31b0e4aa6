import { deliveryTimeText } from '#app/content/constants.server.ts'
import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { signedInContext, visitorContext } from '#app/server/context.ts'
import { measure, orderSeen } from '#app/server/measure.ts'
import { cancelFromPage, orderIdOf, ownOrderView, openOwnOrderPage } from '#app/views/orders.server.ts'
import { textFromPage, textsOf } from '#app/views/order-texts.server.ts'
import { TextsPanel } from '#app/ui/order-texts.tsx'
import { AppointmentPanel, CancelPanel, MoneyPanel, TiresPanel } from '#app/ui/order-panels.tsx'
import { OrderHead } from '#app/ui/order-head.tsx'
import { OrderTimeline } from '#app/ui/order-timeline.tsx'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { NewPage } from '#app/ui/new-page.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { withPackets } from '#domain/ordering/orders/orders.server.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import type { Route } from './+types/order-confirmation.ts'

export const handle = { script: false, arrival: () => <NewPage /> }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `Order ${loaderData.number}`,
        description: 'Your order and what happens now.',
        path: paths.trackOrder(),
        isIndexed: false,
      })
    : []

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, order, access, key } = await openOwnOrderPage(
    context,
    orderIdOf(url.searchParams.get('order')),
    url.searchParams,
  )
  // Not when the email's link is opened in another browser, or a week later.
  const isJustPlaced =
    context.get(visitorContext).orderIds.includes(order.id) &&
    app.clock.now().since(order.placedAt).total('minutes') < 60
  if (order.state === 'confirmed' && isJustPlaced) measure(context, () => orderSeen('purchase', order))
  const [own, signedIn] = await Promise.all([ownOrderView(app, { order, access, key }), context.get(signedInContext)()])
  const hasPacket = signedIn !== undefined && (await withPackets(app.db, [order.id])).has(order.id)
  return {
    number: orderNumber(order.id),
    packet: hasPacket ? serverPaths.fleetOrder(order.id) : null,
    state: order.state,
    own,
    deliveryTime: deliveryTimeText(),
    texts: await textsOf(app, { order, access }),
    hasAccounts: app.identity !== null,
    isSignedIn: signedIn !== undefined,
    friendDiscount: formatRate(app.businessTerms.current['friend-ppm']),
    reward: formatCents(app.businessTerms.current['referrer-reward-cents']).replace(/\.00$/, ''),
  }
}

/** `texts` opts in to text messages about the order. Any other value opts out. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const fields = await readForm(request)
  const answer =
    fields.get('intent') === 'texts' ? await textFromPage(context, url) : await cancelFromPage(context, url)
  return answer instanceof Response ? answer : data(answer, { status: 409 })
}

export default function OrderConfirmation({ loaderData, actionData }: Route.ComponentProps) {
  const { number, state, own, texts, hasAccounts, isSignedIn, packet, reward, friendDiscount } = loaderData
  return (
    <div className="wrap order-page">
      <OrderHead number={number} state={state} own={own} deliveryTime={loaderData.deliveryTime} />
      {state === 'confirmed' ? (
        <section className="order-next" aria-labelledby="next">
          <h2 id="next">What happens now</h2>
          <OrderTimeline steps={own.steps} label="What happens now" />
        </section>
      ) : null}
      <div className="checkout-columns">
        <div className="stack">
          {packet ? <FleetPacket path={packet} /> : null}
          {own.appointment ? <AppointmentPanel appointment={own.appointment} /> : null}
          <TiresPanel own={own} />
          {texts ? <TextsPanel texts={texts} problem={textProblem(actionData)} /> : null}
          <CancelPanel cancel={own.cancel} number={number} problem={cancelProblem(actionData)} />
        </div>
        <MoneyPanel own={own}>
          <a className="btn quiet wide" href={own.track}>
            Track this order
          </a>
        </MoneyPanel>
      </div>
      {hasAccounts && (state === 'confirmed' || state === 'needs-confirmation') ? (
        <div className="order-after">
          {isSignedIn ? null : <KeepInAccount email={own.email} />}
          <ReferFriend reward={reward} friend={friendDiscount} />
        </div>
      ) : null}
    </div>
  )
}

type Answer = Route.ComponentProps['actionData']

function textProblem(answer: Answer): string | undefined {
  return answer && 'texts' in answer ? answer.texts : undefined
}

function cancelProblem(answer: Answer): string | undefined {
  return answer && 'reason' in answer ? answer.reason : undefined
}

function FleetPacket({ path }: { path: string }) {
  return (
    <section className="panel padded stack" aria-labelledby="fleet-packet">
      <h2 id="fleet-packet">Which vehicle is it?</h2>
      <p>Your company wants unit, driver, VIN and plate on every order. The shop cannot finish the job without them.</p>
      <p>
        <a className="btn primary" href={path}>
          Add the vehicle
        </a>
      </p>
    </section>
  )
}

function KeepInAccount({ email }: { email: string }) {
  return (
    <section className="panel padded stack" aria-labelledby="keep">
      <h2 id="keep">Create an account</h2>
      <p>
        Your order, your vehicle and when to rotate, on every device. With {email} this order is added once the address
        is verified.
      </p>
      <form method="post" action={paths.register(paths.myOrders())}>
        <button className="btn">Create an account</button>
      </form>
    </section>
  )
}

function ReferFriend({ reward, friend }: { reward: string; friend: string }) {
  return (
    <section className="panel padded stack" aria-labelledby="refer">
      <h2 id="refer">Refer a friend</h2>
      <p>
        {friend} off for a friend’s first order, {reward} of credit for you when their return period ends.
      </p>
      <p>
        <a className="btn" href={paths.invite()}>
          Send your link
        </a>
      </p>
    </section>
  )
}
