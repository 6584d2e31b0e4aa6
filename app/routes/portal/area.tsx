import { data } from 'react-router'
import { formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { townsOf } from '#app/views/van-towns.ts'
import { vanAreaMessages } from '#content/messages/van-area.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { readVanZips } from '#domain/scheduling/installers/installers.server.ts'
import {
  readAreaEvents,
  saveVanArea,
  seenArea,
  type AreaRefusal,
} from '#domain/installer-portal/portal/portal.server.ts'
import { longestArea, parseArea } from '#domain/installer-portal/portal/portal.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dateText } from '#platform/day-text.ts'
import type { Route } from './+types/area.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Area', portalPaths.portal())

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const { app, place } = await requireShop(context, 'area.edit', {
    shopCode,
    path: portalPaths.area(shopCode),
  })
  const [zips, events] = await Promise.all([readVanZips(app.db, place.shopId), readAreaEvents(app, place.shopId)])
  return {
    area: zips && {
      seen: seenArea(zips.map(({ zip }) => zip)),
      text: zips.map(({ zip }) => zip).join(' '),
      towns: townsOf(zips).map((town) => town.join(': ')),
    },
    events: events.map(({ at, who, note }) => {
      const day = dateText(at.toZonedDateTimeISO(place.timeZone).toPlainDate().toString())
      return `${day}: ${note}${who ? `, by ${who}` : ''}`
    }),
    isSaved: url.searchParams.get('done') === 'saved',
  }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor } = await requireShop(context, 'area.edit', { shopCode, path: portalPaths.area(shopCode) })
  const fields = await readForm(request, longestArea + 1)
  const read = parseArea(fields.get('zips') ?? '')
  if (!read.ok) return wrong(fields, read.why === 'odd' ? vanAreaMessages.odd(read.odd) : vanAreaMessages[read.why])
  const saved = await saveVanArea(app, actor, { zips: read.zips, seen: fields.get('seen') ?? '' })
  return saved.ok ? seeOther(portalPaths.area(shopCode, 'saved')) : refuseArea(fields, saved)
}

function refuseArea(fields: URLSearchParams, refusal: AreaRefusal) {
  switch (refusal.reason) {
    case 'not-allowed':
      throw data(null, { status: 403 })
    case 'bad-zips':
      return wrong(fields, vanAreaMessages.bad(refusal.detail))
    case 'stale':
    case 'no-van':
      return refuseForm(formRefusal(fields, vanAreaMessages[refusal.reason]), 409)
  }
}

function wrong(fields: URLSearchParams, words: string) {
  return refuseForm({ values: Object.fromEntries(fields), errors: { zips: words } } satisfies FormReply)
}

export default function Area({ loaderData: { area, events, isSaved }, actionData: reply }: Route.ComponentProps) {
  return (
    <div className="wrap portal narrow">
      <h1>Area</h1>
      {area ? (
        <>
          <p className="muted">
            ZIP codes that you serve. We only offer your service to shoppers in these ZIP codes. Existing bookings don’t
            change.
          </p>
          {isSaved && !reply ? (
            <p className="portal-news" role="status">
              <Icon name="check-circle" size="s" /> Saved. Shoppers see it from now on.
            </p>
          ) : null}
          <form method="post" className="portal-form" noValidate>
            <ErrorSummary reply={reply} labels={{ zips: 'ZIP codes' }} />
            <input type="hidden" name="seen" value={area.seen} />
            <TextAreaField
              name="zips"
              label="ZIP codes"
              reply={reply}
              value={area.text}
              rows={8}
              maxLength={longestArea}
              hint="Five digits each, with a space or comma between them."
            />
            <button className="btn primary large wide">Save the area</button>
          </form>
          <h2>Towns it comes to most</h2>
          <ul className="portal-days">
            {area.towns.map((town) => (
              <li key={town}>{town}</li>
            ))}
          </ul>
          {events.length > 0 ? (
            <details className="portal-section">
              <summary>History</summary>
              <ul className="portal-events">
                {events.map((words, index) => (
                  <li key={`${index} ${words}`}>{words}</li>
                ))}
              </ul>
            </details>
          ) : null}
        </>
      ) : (
        <p className="muted">Only mobile installers have a service area. Customers come to this shop.</p>
      )}
    </div>
  )
}
