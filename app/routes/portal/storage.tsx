import { data } from 'react-router'
import { formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { storedSetView, type StoredSetView } from '#app/views/portal-storage.server.ts'
import { storageMessages } from '#content/messages/storage.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { longestPlace, placeField, readStoredSet } from '#domain/installer-portal/work-orders/work-orders.ts'
import {
  listStoredSets,
  returnSet,
  saveSetPlace,
  type StoredSetRefusal,
} from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { storageReminderDays } from '#domain/ordering/orders/orders.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/storage.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Storage', portalPaths.portal())

/** The sets that the shop stores for customers, those that end first at the top. */
export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const { app, place } = await requireShop(context, 'jobs.work', { shopCode, path: portalPaths.storage(shopCode) })
  const { stored, returned } = await listStoredSets(app, place.shopId)
  const today = app.clock.now().toZonedDateTimeISO(place.timeZone).toPlainDate()
  const view = (set: (typeof stored)[number]) => storedSetView(set, { shopCode, timeZone: place.timeZone, today })
  return {
    stored: stored.map(view),
    returned: returned.map(view),
    done: storageMessages.done[url.searchParams.get('done') ?? ''] ?? null,
  }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor } = await requireShop(context, 'jobs.work', { shopCode, path: portalPaths.storage(shopCode) })
  const fields = await readForm(request)
  const read = readStoredSet(fields)
  if (!read) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const { orderId, place } = read
  switch (fields.get('intent')) {
    case 'place': {
      if (!place.ok)
        return refuseForm({ values: Object.fromEntries(fields), errors: { [placeField(orderId)]: place.message } })
      const saved = await saveSetPlace(app, actor, { orderId, place: place.value })
      return saved.ok ? seeOther(portalPaths.storage(shopCode, 'saved')) : refuse(fields, saved)
    }
    case 'return': {
      const returned = await returnSet(app, actor, { orderId })
      return returned.ok ? seeOther(portalPaths.storage(shopCode, 'returned')) : refuse(fields, returned)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

function refuse(fields: URLSearchParams, { reason }: StoredSetRefusal) {
  if (reason === 'not-allowed') throw data(null, { status: 403 })
  return refuseForm(formRefusal(fields, storageMessages.notStored), 409)
}

export default function Storage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { stored, returned, done } = loaderData
  const labels = Object.fromEntries(stored.map(({ orderId, order }) => [placeField(orderId), `Place of ${order}`]))
  return (
    <div className="wrap portal narrow">
      <h1>Storage</h1>
      <p className="muted">
        Sets that you store for customers. We email each customer {countOf(storageReminderDays, 'day')} before storage
        ends.
      </p>
      {done && !reply ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> {done}
        </p>
      ) : null}
      <ErrorSummary reply={reply} labels={labels} />
      {stored.length === 0 ? (
        <p className="portal-empty">No stored sets. A set appears here when you finish a service with storage.</p>
      ) : null}
      {stored.map((set) => (
        <StoredSet key={set.orderId} set={set} reply={reply} />
      ))}
      {returned.length > 0 ? (
        <details className="portal-section">
          <summary>Picked up</summary>
          <ul className="portal-events">
            {returned.map(({ orderId, job, order, title, returnedOn }) => (
              <li key={orderId}>
                {returnedOn}: {title}, <a href={job}>{order}</a>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  )
}

function StoredSet({ set, reply }: { set: StoredSetView; reply: FormReply | undefined }) {
  const { orderId, order, job, title, span, ended, place } = set
  const mine = reply?.values['order'] === String(orderId) ? reply : undefined
  return (
    <section className="portal-section" aria-labelledby={`set-${orderId}`}>
      <h2 id={`set-${orderId}`}>{title}</h2>
      <p className="tabular">
        {span} · <a href={job}>Job {order}</a>
      </p>
      {ended ? <p className="strong">{ended}</p> : null}
      <form method="post" className="portal-form" noValidate>
        <input type="hidden" name="order" value={orderId} />
        <Field
          name={placeField(orderId)}
          label="Place in the shop"
          reply={mine}
          value={place}
          maxLength={longestPlace}
          autoComplete="off"
          required={false}
        />
        <button className="btn" name="intent" value="place" aria-label={`Save the place of ${order}`}>
          Save
        </button>
      </form>
      <details>
        <summary>Customer picked it up</summary>
        <form method="post">
          <input type="hidden" name="order" value={orderId} />
          <p>This ends storage for {order} and can’t be undone.</p>
          <button className="btn" name="intent" value="return" aria-label={`Mark ${order} as picked up`}>
            Mark as picked up
          </button>
        </form>
      </details>
    </section>
  )
}
