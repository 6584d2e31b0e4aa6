import { readForm } from '#app/forms/form.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { OwnJobForm } from '#app/ui/portal/own-job-form.tsx'
import { PortalScript, portalHead } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { readDay } from '#domain/installer-portal/portal/portal.ts'
import { newId } from '#platform/ids.ts'
import { clockOf } from '#platform/time-text.ts'
import type { Route } from './+types/own-job-new.ts'
import { alignmentOn, bayChoices, fillVehicle, saveFields } from './own-job-acts.server.ts'
import { plateStatesOf } from './plate-lookup.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  portalHead(matches, 'Add walk-in or block', portalPaths.portal())

/** The form, with bay, day and time of the empty time it was opened from. */
export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const at = await requireShop(context, 'own-job.edit', { shopCode, path: portalPaths.newOwnJob(shopCode) })
  const { app, place } = at
  const now = app.clock.now().toZonedDateTimeISO(place.timeZone)
  const day = readDay(url.searchParams.get('on')) ?? now.toPlainDate()
  const asked = url.searchParams.get('at') ?? ''
  const bays = await bayChoices(at)
  const bay = bays.find(({ id }) => id === url.searchParams.get('bay')) ?? bays[0]
  return {
    isInSetUp: place.isInSetUp,
    back: portalPaths.day(shopCode, { on: day.toString() }),
    bays,
    zone: clockOf(place.timeZone, day).zone,
    formKey: newId(),
    plateStates: plateStatesOf(app),
    alignment: await alignmentOn(at, day),
    values: {
      kind: 'phone',
      bay: bay?.id ?? '',
      on: day.toString(),
      at: /^\d{2}:\d{2}$/.test(asked)
        ? asked
        : now
            .round({ smallestUnit: 'minute', roundingIncrement: 15 })
            .toPlainTime()
            .toString({ smallestUnit: 'minute' }),
      minutes: '60',
    },
  }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const at = await requireShop(context, 'own-job.edit', { shopCode, path: portalPaths.newOwnJob(shopCode) })
  const fields = await readForm(request)
  return fields.get('intent') === 'plate' ? fillVehicle(context, fields) : saveFields(at, fields, null)
}

export default function NewOwnJob({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { isInSetUp, back, ...form } = loaderData
  return (
    <div className="wrap portal narrow">
      <p className="portal-back">
        <a href={back}>Back to the day</a>
      </p>
      <h1>Add walk-in or block</h1>
      {isInSetUp || form.bays.length === 0 ? (
        <p className="portal-news">Finish setup and open the shop first. Until then, its bays may change.</p>
      ) : (
        <OwnJobForm {...form} reply={reply} submit="Add job" />
      )}
      <PortalScript />
    </div>
  )
}
