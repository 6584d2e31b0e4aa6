import { data } from 'react-router'
import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireShop, type AtShop } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { OwnJobForm } from '#app/ui/portal/own-job-form.tsx'
import { PortalScript, portalHead } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { readOwnJob, type OwnJob } from '#domain/scheduling/booking/booking.server.ts'
import { ownJobKinds, overlapReasons } from '#domain/scheduling/booking/booking.ts'
import { endOwnJob } from '#domain/installer-portal/portal/portal.server.ts'
import { uuidShape } from '#domain/installer-portal/portal/portal.ts'
import { dayText } from '#platform/day-text.ts'
import { newId } from '#platform/ids.ts'
import { clockOf, clockRangeText } from '#platform/time-text.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { RouterContextProvider } from 'react-router'
import type { Route } from './+types/own-job.ts'
import { alignmentOn, bayChoices, faultText, fillVehicle, saveFields, valuesOf } from './own-job-acts.server.ts'
import { plateStatesOf } from './plate-lookup.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Shop job', portalPaths.portal())

/** Returns this shop's job. Responds with 404 for other shops' jobs. */
async function requireOwnJob(
  context: Readonly<RouterContextProvider>,
  { shopCode, ownJobId }: { shopCode: string; ownJobId: string },
): Promise<{ at: AtShop; job: OwnJob }> {
  const at = await requireShop(context, 'own-job.edit', { shopCode, path: portalPaths.ownJob(shopCode, ownJobId) })
  const isId = uuidShape.safeParse(ownJobId).success
  const job = isId ? await readOwnJob(at.app.db, { shopId: at.place.shopId, ownJobId }) : undefined
  if (!job) throw data(null, { status: 404 })
  return { at, job }
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { at, job } = await requireOwnJob(context, params)
  const { timeZone } = at.place
  const day = job.start.toZonedDateTimeISO(timeZone).toPlainDate()
  const values = valuesOf(job, timeZone)
  // Where it was dropped on the day, until it is saved.
  const asked = url.searchParams
  if (/^\d{2}:\d{2}$/.test(asked.get('at') ?? '')) values['at'] = asked.get('at') ?? ''
  if (/^\d{1,9}$/.test(asked.get('bay') ?? '')) values['bay'] = asked.get('bay') ?? ''
  return {
    title: ownJobKinds[job.kind],
    when: `${dayText(day)}, ${clockRangeText(job.start, job.end, timeZone)}`,
    state: job.state,
    overlaps: [...new Set(job.overlaps.map(({ reason }) => overlapReasons[reason]))],
    back: portalPaths.day(params.shopCode, { on: day.toString() }),
    bays: await bayChoices(at),
    zone: clockOf(timeZone, day).zone,
    formKey: newId(),
    plateStates: plateStatesOf(at.app),
    alignment: await alignmentOn(at, day),
    values,
  }
}

/** The intent is `save` by default, or `plate`, `cancel`, `reopen` or `done`. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { at, job } = await requireOwnJob(context, params)
  const fields = await readForm(request)
  const intent = fields.get('intent')
  if (intent === 'plate') return fillVehicle(context, fields)
  if (intent !== 'cancel' && intent !== 'reopen' && intent !== 'done') return saveFields(at, fields, job.id)
  const ended = await endOwnJob(at.app, at.actor, { ownJobId: job.id, act: intent })
  if (!ended.ok) return refuseForm(formRefusal(fields, faultText(ended)), ended.reason === 'not-allowed' ? 403 : 409)
  const on = job.start.toZonedDateTimeISO(at.place.timeZone).toPlainDate().toString()
  return seeOther(
    intent === 'cancel'
      ? portalPaths.ownJob(params.shopCode, job.id, { done: 'canceled' })
      : portalPaths.day(params.shopCode, { on, done: intent === 'done' ? 'own-job-done' : 'own-job' }),
  )
}

export default function OwnJobPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, when, state, overlaps, back, bays, zone, formKey, alignment, plateStates, values } = loaderData
  return (
    <div className="wrap portal narrow">
      <p className="portal-back">
        <a href={back}>Back to the day</a>
      </p>
      <h1>{title}</h1>
      <p className="tabular">{when}</p>
      {overlaps.length > 0 ? (
        <p className="portal-overlap">
          <Icon name="warning" size="s" /> Overlaps an online booking: {overlaps.join(', ')}
        </p>
      ) : null}
      {state === 'planned' ? (
        <>
          <OwnJobForm {...{ reply, values, formKey, bays, zone, alignment, plateStates }} submit="Save changes" />
          <form method="post" className="portal-ends">
            <button className="btn large" name="intent" value="done">
              Mark as done
            </button>
            <button className="btn large" name="intent" value="cancel">
              Cancel job
            </button>
          </form>
        </>
      ) : (
        <>
          <p className="portal-news" role="status">
            {reply?.formError ?? (state === 'done' ? 'Done.' : 'Canceled. The bay is free at that time.')}
          </p>
          <form method="post">
            <button className="btn large" name="intent" value="reopen">
              Undo
            </button>
          </form>
        </>
      )}
      <PortalScript />
    </div>
  )
}
