import { data } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { FormInputs } from '#app/office/form.tsx'
import { identityFields, offerFields } from '#app/office/profile-fields.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { ShopTabs } from '#app/ui/portal/shop-tabs.tsx'
import { profileFieldsView } from '#app/views/shop-profile-fields.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { selectShopEvents } from '#domain/scheduling/installers/installers.server.ts'
import {
  findShopRecord,
  readProfileRequest,
  saveProfileAsOwner,
  type ProfileRefusal,
} from '#domain/installer-portal/shops/shops.server.ts'
import { profileForm } from '#domain/installer-portal/shops/shops.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import type { Route } from './+types/profile.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Profile', portalPaths.portal())

const decisions = ['profile-requested', 'profile-approved', 'profile-declined'] as const
const decisionLabels: Readonly<Record<string, string>> = {
  'profile-requested': 'Requested',
  'profile-approved': 'Approved',
  'profile-declined': 'Declined',
}

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const { app, place } = await requireShop(context, 'profile.edit', { shopCode, path: portalPaths.profile(shopCode) })
  const record = await findShopRecord(app, shopCode)
  if (!record) throw data(null, { status: 404 })
  const request = await readProfileRequest(app, place.shopId)
  const asked = request
    ? { ...record, name: request.name, street: request.street, city: request.city, zip: request.zip }
    : record
  const events = await selectShopEvents(app.db, { shopId: place.shopId, acts: decisions, limit: 6 })
  return {
    kind: record.kind,
    profile: profileFieldsView(asked),
    waiting: request ? `${request.name}, ${request.street}, ${request.city} ${request.zip}` : null,
    events: events.map(({ at, act, note }) => {
      const day = dateText(at.toZonedDateTimeISO(place.timeZone).toPlainDate().toString())
      return `${day}: ${decisionLabels[act] ?? act}: ${note}`
    }),
    done: url.searchParams.get('done'),
  }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor } = await requireShop(context, 'profile.edit', { shopCode, path: portalPaths.profile(shopCode) })
  const fields = await readForm(request)
  const checked = checkForm(profileForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const saved = await saveProfileAsOwner(app, actor, checked.value)
  if (saved.ok) return seeOther(portalPaths.profile(shopCode, saved.value.isWaiting ? 'waiting' : 'saved'))
  return refuse(fields, saved)
}

function refuse(fields: URLSearchParams, refusal: ProfileRefusal | { ok: false; reason: 'not-allowed' }) {
  const at = (field: string, text: string) =>
    refuseForm({ values: Object.fromEntries(fields), errors: { [field]: text } })
  switch (refusal.reason) {
    case 'not-allowed':
      throw data(null, { status: 403 })
    case 'gone':
      throw data(null, { status: 404 })
    case 'changed-meanwhile':
      return refuseForm(
        {
          ...formRefusal(fields, 'Someone saved this page after you opened it. Compare both values, then save again.'),
          isConflict: true,
        },
        409,
      )
    case 'zip-unknown':
      return at('zip', 'We don’t know where this ZIP code is. Enter one with a street address.')
    case 'zone-moves':
      return at('zip', 'This ZIP code is in another time zone, and you have appointments ahead. Call us to move them.')
    case 'kind-fixed':
      return refuseForm(
        formRefusal(fields, 'A shop can’t become a mobile installer, or the reverse. Call us to add a new one.'),
      )
  }
}

const news: Partial<Record<string, string>> = {
  saved: 'Saved. Customers see the change within a second.',
  waiting: 'Saved. The new name or address counts once the store has approved it.',
}

export default function Profile({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { kind, profile, waiting, events, done } = loaderData
  const groups = [identityFields(profile), offerFields(profile)]
  const labels = Object.fromEntries(
    groups.flatMap((fields) => Object.entries(fields).map(([name, { label }]): [string, string] => [name, label])),
  )
  const said = news[done ?? '']
  return (
    <div className="wrap portal narrow">
      <ShopTabs at="profile" />
      <h1>Profile</h1>
      <p className="muted">Customers read this on your public page. The store approves a new name or address.</p>
      {said && !reply ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> {said}
        </p>
      ) : null}
      {waiting ? <p className="portal-news">Waiting for approval: {waiting}</p> : null}
      <form method="post" className="portal-form" noValidate>
        <ErrorSummary reply={reply} labels={labels} />
        <input
          type="hidden"
          name="version"
          value={reply && !reply.isConflict ? (reply.values['version'] ?? profile.version) : profile.version}
        />
        <input type="hidden" name="kind" value={kind} />
        {groups.map((fields, index) => (
          <FormInputs key={index} fields={fields} reply={reply} />
        ))}
        <button className="btn primary large wide">Save the profile</button>
      </form>
      {events.length > 0 ? (
        <details className="portal-section">
          <summary>History</summary>
          <ul className="portal-events">
            {events.map((text, index) => (
              <li key={`${index} ${text}`}>{text}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  )
}
