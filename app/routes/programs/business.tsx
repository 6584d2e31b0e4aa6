import { applicationContext, signedInContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import type { Route } from './+types/business.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Tires for your business',
    description:
      'Fleet and special-order accounts with your own prices, team roles, PO numbers, and tax exemption if you have it.',
    path: paths.business(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ context }: Route.LoaderArgs) {
  const { config, identity } = context.get(applicationContext)
  return {
    phone: config.store.phone,
    hasAccounts: identity !== null,
    isSignedIn: (await context.get(signedInContext)()) !== undefined,
  }
}

export default function Business({ loaderData: { phone, hasAccounts, isSignedIn } }: Route.ComponentProps) {
  return (
    <div className="wrap program-page">
      <Crumbs crumbs={[{ label: 'Home', path: paths.home() }]} here="Business" />
      <header className="program-head">
        <h1>Tires for your business</h1>
        <p className="lead">
          One account for everyone who orders, your own prices, and paperwork your bookkeeper can use.
        </p>
        <div className="row wrap-row">
          {isSignedIn ? (
            <a className="btn primary large" href={paths.businessApply()}>
              Apply
            </a>
          ) : hasAccounts ? (
            <form method="post" action={paths.signIn()}>
              <input type="hidden" name="back" value={paths.businessApply()} />
              <button className="btn primary large">Sign in and apply</button>
            </form>
          ) : null}
          <a className="btn large" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
            <Icon name="phone" size="s" /> {phone}
          </a>
        </div>
      </header>
      <CompanyKinds />
      <CompanyBenefits />
      <HowItWorks />
    </div>
  )
}

function CompanyKinds() {
  return (
    <div className="company-kinds">
      <section className="panel padded stack" aria-labelledby="fleet">
        <h2 id="fleet">Fleet</h2>
        <p>For businesses with vans, taxis, service cars, or light trucks.</p>
        <ul className="ticks">
          <li>Your price on every tire, everywhere in the store</li>
          <li>Installation at any of our shops, booked with the tires</li>
          <li>Fitment checked against each vehicle, as for everyone</li>
        </ul>
      </section>
      <section className="panel padded stack" aria-labelledby="special-order">
        <h2 id="special-order">Special order</h2>
        <p>For those who need sizes and makes that are not bought by the thousand.</p>
        <ul className="ticks">
          <li>Special pricing, agreed with you</li>
          <li>Only the brands you have agreed on, if you prefer</li>
          <li>People to ask who know your orders</li>
        </ul>
      </section>
    </div>
  )
}

/** Benefits for companies of both kinds. */
function CompanyBenefits() {
  return (
    <section className="stack" aria-labelledby="both">
      <h2 id="both">What both get</h2>
      <dl className="company-facts">
        <div>
          <dt>Colleagues with roles</dt>
          <dd>
            Owners run the company here, buyers order, viewers see every order but cannot buy. You invite them by email.
          </dd>
        </div>
        <div>
          <dt>PO numbers</dt>
          <dd>Required, optional or off, in the form your books want. The number is printed on the receipt.</dd>
        </div>
        <div>
          <dt>Tax exemption</dt>
          <dd>
            Send your certificate for a state once. While it is valid, orders shipped there are exempt from sales tax;
            tire fees and federal excise tax still apply.
          </dd>
        </div>
        <div>
          <dt>Payment</dt>
          <dd>By card when you order. Net terms by agreement.</dd>
        </div>
      </dl>
    </section>
  )
}

function HowItWorks() {
  return (
    <section className="stack" aria-labelledby="how">
      <h2 id="how">How it works</h2>
      <ol className="program-steps">
        <li>
          <div>
            <b>Apply</b>
            <span>Sign in with your work email and say who you are. It takes two minutes.</span>
          </div>
        </li>
        <li>
          <div>
            <b>We look at it</b>
            <span>A person reads it, and may call you. You get an email either way.</span>
          </div>
        </li>
        <li>
          <div>
            <b>Order</b>
            <span>Your prices show as soon as you are approved, and for everyone you invite.</span>
          </div>
        </li>
      </ol>
    </section>
  )
}
