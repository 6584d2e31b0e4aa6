import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { readReferralBoard, type Referral } from '#domain/customers/programs/programs.server.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/advocate-dashboard.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your referrals',
    description: 'Who you referred, who ordered, and what you earned.',
    path: paths.advocateDashboard(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { accountId } = await requireSignedIn(context, paths.advocateDashboard())
  const app = context.get(applicationContext)
  const board = await readReferralBoard(app, accountId)
  return {
    returnWindow: countOf(app.businessTerms.current['return-days'], 'day'),
    pending: formatCents(board.pendingCents),
    earned: formatCents(board.earnedCents),
    credit: formatCents(board.creditCents),
    referrals: board.referrals.map((referral, index) => ({
      key: String(index),
      who: referral.who ?? 'A friend by your link',
      words: stateWords(referral),
    })),
  }
}

export default function AdvocateDashboard({
  loaderData: { pending, earned, credit, referrals, returnWindow },
}: Route.ComponentProps) {
  return (
    <div className="wrap program-page">
      <header className="program-head">
        <h1>Your referrals</h1>
        <p className="lead">Who you referred, who ordered, and what you earned.</p>
      </header>
      <dl className="program-sums tabular">
        <div className="panel">
          <dt className="small">Earned so far</dt>
          <dd>{earned}</dd>
        </div>
        <div className="panel">
          <dt className="small">On its way</dt>
          <dd>{pending}</dd>
        </div>
        <div className="panel">
          <dt className="small">Credit in your account</dt>
          <dd>{credit}</dd>
        </div>
      </dl>
      <section className="stack" aria-labelledby="friends">
        <h2 id="friends">Your friends</h2>
        {referrals.length === 0 ? (
          <p className="muted">No referrals yet. Send your link to a friend who needs tires.</p>
        ) : (
          <ul className="panel program-list">
            {referrals.map(({ key, who, words }) => (
              <li key={key}>
                <b>{who}</b>
                <span className="muted">{words}</span>
              </li>
            ))}
          </ul>
        )}
        <p className="small muted">
          A reward is credited {returnWindow} after the tires arrive, when they can no longer be returned. Use your
          credit where you choose how to pay. To protect your friends’ privacy, we show only that they did.
        </p>
        <p>
          <a className="btn primary" href={paths.invite()}>
            Send your link
          </a>
        </p>
      </section>
    </div>
  )
}

function stateWords({ state, invitedAt, dueAt }: Referral): string {
  switch (state) {
    case 'invited':
      return invitedAt ? `Email sent ${storeDateText(invitedAt)}` : 'Email sent'
    case 'pending':
      return dueAt ? `Ordered. Your credit comes ${storeDateText(dueAt)}` : 'Ordered. The tires are on their way'
    case 'earned':
      return 'Credited'
    case 'canceled':
      return 'The order was canceled or returned'
  }
}
