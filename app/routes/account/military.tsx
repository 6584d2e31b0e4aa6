import { applicationContext } from '#app/server/context.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { readForm } from '#app/forms/form.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { verificationMessages } from '#content/messages/military.ts'
import { paths } from '#content/paths.ts'
import { serverPaths, type MilitaryFrom } from '#content/server-paths.ts'
import { beginVerification, findVerification, removeVerification } from '#domain/pricing/military/military.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import { formatRate } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import { AccountPage } from './account-page.tsx'
import type { Route } from './+types/military.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Military discount',
    description: 'Verify that you serve or have served.',
    path: serverPaths.militaryVerify(),
    isIndexed: false,
  })

const backs: Readonly<Record<MilitaryFrom, string>> = {
  cart: paths.cart(),
  payments: paths.checkoutPayments(),
  account: serverPaths.militaryVerify({ done: 'verified' }),
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const from = fromOf(url.searchParams.get('from'))
  const { accountId } = await requireSignedIn(context, serverPaths.militaryVerify({ from }))
  const verification = await findVerification(app, accountId)
  return {
    from,
    done: url.searchParams.get('done'),
    isOffered: app.eligibility !== null,
    percent: formatRate(app.businessTerms.current['military-ppm']),
    verified: verification && {
      as: verification.group,
      on: dateText(storeDay(verification.verifiedAt).toString()),
      until: dateText(storeDay(verification.endsAt).toString()),
    },
  }
}

/** `remove` deletes the verification. Any other intent redirects to the provider. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const fields = await readForm(request)
  const from = fromOf(fields.get('from'))
  const { accountId } = await requireSignedIn(context, serverPaths.militaryVerify({ from }))
  if (fields.get('intent') === 'remove') {
    await removeVerification(app, accountId)
    return seeOther(serverPaths.militaryVerify({ done: 'removed' }))
  }
  const begun = await beginVerification(app, { accountId, returnPath: backs[from] })
  if (begun.ok) return seeOther(begun.value)
  app.log.warn({ reason: begun.reason }, 'a verification could not begin')
  return seeOther(serverPaths.militaryVerify({ from, done: begun.reason }))
}

function fromOf(typed: string | null): MilitaryFrom {
  return typed === 'cart' || typed === 'payments' ? typed : 'account'
}

export default function Military({ loaderData: { from, done, isOffered, verified, percent } }: Route.ComponentProps) {
  const news = newsOf(done, verified !== undefined)
  return (
    <AccountPage title="Military discount" at="account">
      {news ? (
        <p className="notice" role="status">
          {news}
        </p>
      ) : null}
      {verified ? (
        <section className="panel padded stack" aria-labelledby="verified">
          <h2 id="verified">Verified</h2>
          <p>
            {verified.as}, verified {verified.on}. {percent} comes off your tires until {verified.until}; then you
            verify once more.
          </p>
          <p className="small muted">We store your group, both dates, and a unique code, but no documents.</p>
          <form method="post">
            <button className="btn" name="intent" value="remove">
              Remove it
            </button>
          </form>
        </section>
      ) : (
        <section className="panel padded stack" aria-labelledby="verify">
          <h2 id="verify">Served, or serving?</h2>
          <p>
            {percent} comes off your tires for a year. ID.me checks your records on its own pages; we learn only whether
            you are verified, and the group.
          </p>
          {isOffered ? (
            <form method="post">
              <input type="hidden" name="from" value={from} />
              <button className="btn primary large">Verify with ID.me</button>
            </form>
          ) : (
            <p className="notice">{verificationMessages['not-offered']}</p>
          )}
        </section>
      )}
      <p className="small">
        <a href={paths.written('military-discount')}>Who it is for, and what it works with</a>
      </p>
    </AccountPage>
  )
}

function newsOf(done: string | null, isVerified: boolean): string | null {
  if (done === 'verified' && isVerified) return 'You are verified. The discount is in your cart from now on.'
  if (done === 'removed' && !isVerified) return 'Removed. Your prices are without the discount from now on.'
  if (done === 'not-offered' || done === 'unavailable') return verificationMessages[done]
  return null
}
