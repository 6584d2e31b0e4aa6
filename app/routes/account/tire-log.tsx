import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { rotationMiles } from '#domain/customers/accounts/accounts.ts'
import { mostRotations, rotationForm } from '#domain/aftercare/tire-log/tire-log.ts'
import { logRotation, readTireLog, removeRotation } from '#domain/aftercare/tire-log/tire-log.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeDay } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import { AccountPage } from './account-page.tsx'
import { tireLogView, type TireLogView } from './tire-log-view.server.ts'
import type { Route } from './+types/tire-log.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Rotation log',
    description: 'Rotations of your tires, and what their mileage warranty still covers.',
    path: paths.myGarage(),
    isIndexed: false,
  })

/** Returns a tire set of the account. Responds with 404 for other accounts' sets. */
async function requireLog(context: Route.LoaderArgs['context'], params: { orderId: string }) {
  const app = context.get(applicationContext)
  const of = { orderId: orderIdOf(params.orderId), accountId: '' }
  const { accountId } = await requireSignedIn(context, serverPaths.tireLog(of.orderId))
  const log = await readTireLog(app, { ...of, accountId })
  if (!log) throw new Response(null, { status: 404 })
  return { app, of: { ...of, accountId }, log, today: storeDay(app.clock.now()) }
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { log, today } = await requireLog(context, params)
  return { set: tireLogView(log, today), news: news[url.searchParams.get('done') ?? ''] ?? null }
}

const news: Readonly<Record<string, string>> = { logged: 'Logged.', removed: 'Removed.' }

export async function action({ request, context, params }: Route.ActionArgs) {
  const { app, of, log, today } = await requireLog(context, params)
  const fields = await readForm(request)
  if (fields.get('intent') === 'remove') {
    const nth = fields.get('nth') ?? ''
    if (!/^\d{1,2}$/.test(nth)) throw new Response(null, { status: 400 })
    await removeRotation(app, { ...of, nth: Number(nth) })
    return seeOther(serverPaths.tireLog(of.orderId, 'removed'))
  }
  const checked = checkForm(rotationForm(today, log), fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const logged = await logRotation(app, of, checked.value)
  if (logged.ok) return seeOther(serverPaths.tireLog(of.orderId, 'logged'))
  if (logged.reason === 'tires-not-found') throw new Response(null, { status: 404 })
  const { words, field } = refusals[logged.reason]
  return refuseForm(formRefusal(fields, words, field ? { [field]: words } : {}))
}

const refusals = {
  'odometer-back': { words: 'The odometer would go back from one rotation to the next.', field: 'odometer' },
  'logged-already': { words: 'Another rotation is logged for this day. Remove it first.', field: 'on' },
  'log-full': { words: `A log has up to ${countOf(mostRotations, 'rotation')}. Remove one first.`, field: null },
} as const

export default function TireLogPage({ loaderData: { set, news: done }, actionData: reply }: Route.ComponentProps) {
  return (
    <AccountPage title="Rotation log" at="garage">
      <section className="panel padded stack" aria-labelledby="tires">
        <h2 id="tires">{set.tires}</h2>
        <p className="tabular">
          {set.fitted}. Order {set.order}
          {set.vehicle ? `, ${set.vehicle}` : ''}.
        </p>
        {set.recall ? (
          <p className="notice">
            Safety recall {set.recall}. <a href={set.recallPath}>See what to do</a>
          </p>
        ) : null}
        <ul className="tabular">
          {set.wheels.map((wheel) => (
            <li key={wheel}>{wheel}</li>
          ))}
        </ul>
        {done && !reply ? (
          <p className="notice" role="status">
            {done}
          </p>
        ) : null}
        {set.next ? <p className={set.isDue ? 'strong' : undefined}>{set.next}</p> : null}
      </section>
      <Log set={set} />
      <LogForm reply={reply} />
      <Warranty set={set} />
    </AccountPage>
  )
}

function Log({ set: { rotations } }: { set: TireLogView }) {
  return (
    <section className="panel padded stack" aria-labelledby="log">
      <h2 id="log">Rotations</h2>
      {rotations.length === 0 ? <p>No rotations logged yet.</p> : null}
      <ul className="account-list">
        {rotations.map(({ nth, on, miles, since, place }) => (
          <li key={nth} className="stack">
            <p className="tabular">
              <b>{on}</b>, {miles}, {since}
            </p>
            <p>{place}</p>
            <form method="post" className="no-print">
              <input type="hidden" name="nth" value={nth} />
              <button className="btn quiet" name="intent" value="remove" aria-label={`Remove the rotation of ${on}`}>
                Remove
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}

const labels = { on: 'Day', odometer: 'Miles on the odometer', place: 'Where' }

function LogForm({ reply }: { reply: FormReply | undefined }) {
  return (
    <form method="post" className="panel padded stack account-form no-print" noValidate aria-labelledby="new-rotation">
      <h2 id="new-rotation">Log a rotation</h2>
      <ErrorSummary reply={reply} labels={labels} />
      <Field
        name="on"
        label={labels.on}
        reply={reply}
        inputMode="numeric"
        placeholder="MM/DD/YYYY"
        autoComplete="off"
        maxLength={10}
      />
      <Field
        name="odometer"
        label={labels.odometer}
        reply={reply}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
      />
      <Field name="place" label={labels.place} reply={reply} autoComplete="off" maxLength={80} />
      <p>
        <button className="btn primary" name="intent" value="log">
          Log it
        </button>
      </p>
    </form>
  )
}

function Warranty({ set: { warranty } }: { set: TireLogView }) {
  return (
    <section className="panel padded stack" aria-labelledby="warranty">
      <h2 id="warranty">Mileage warranty, an estimate</h2>
      {warranty ? (
        <>
          <dl className="facts">
            <dt>Left</dt>
            <dd className="tabular">{warranty.left}</dd>
            <dt>Driven</dt>
            <dd className="tabular">{warranty.driven}</dd>
          </dl>
          {warranty.isHalved ? (
            <p>Front and rear sizes differ, so that the tires cannot change places: half of the miles count.</p>
          ) : null}
          <p className="small muted">
            The manufacturer decides, and requires receipts and the rotations in its booklet. Entries over{' '}
            {countOf(rotationMiles, 'mile')} apart are marked as late. Print this page for a claim.
          </p>
        </>
      ) : (
        <p>The manufacturer offers no mileage warranty on these tires.</p>
      )}
    </section>
  )
}
