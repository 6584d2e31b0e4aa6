import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { ShopTabs } from '#app/ui/portal/shop-tabs.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { shopEmailKinds, type ShopEmailKind } from '#domain/messages/messages.ts'
import { readTeamEmails, saveTeamEmails } from '#domain/portal/portal.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/emails.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Emails', portalPaths.portal())

const labels: Record<ShopEmailKind, { title: string; about: string }> = {
  'shop-booking-news': {
    title: 'Appointments',
    about: 'When customers or the store book, change or cancel an appointment, with a calendar file.',
  },
  'shop-appointment-news': {
    title: 'Late customers',
    about: 'When customers say that they are late or not coming.',
  },
}

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const { shop, place } = await requireShop(context, 'emails.edit', {
    shopCode,
    path: portalPaths.emails(shopCode),
  })
  return {
    ...(await readTeamEmails(shop, place.memberId)),
    isSaved: url.searchParams.get('done') === 'saved',
  }
}

/** Saves the whole form. Unchecked kinds are unsubscribed. */
export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { shop, actor } = await requireShop(context, 'emails.edit', { shopCode, path: portalPaths.emails(shopCode) })
  const fields = await readForm(request)
  const wanted = shopEmailKinds.filter((kind) => fields.has(kind))
  const saved = await saveTeamEmails(shop, actor, wanted)
  if (!saved.ok) throw data(null, { status: 403 })
  return seeOther(portalPaths.emails(shopCode, 'saved'))
}

export default function Emails({ loaderData: { email, kinds, isSaved } }: Route.ComponentProps) {
  return (
    <div className="wrap portal narrow">
      <h1>Emails</h1>
      <ShopTabs at="emails" />
      {isSaved ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> Saved.
        </p>
      ) : null}
      <p className="muted">
        We send these emails to {email}. Your choice applies to all shops you work for with this address.
      </p>
      <form method="post" className="portal-form">
        {kinds.map(({ kind, isWanted }) => (
          <label key={kind} className="check">
            <input type="checkbox" name={kind} defaultChecked={isWanted} />
            <span>
              <b>{labels[kind].title}</b>
              <br />
              {labels[kind].about}
            </span>
          </label>
        ))}
        <button className="btn primary large wide">Save</button>
      </form>
    </div>
  )
}
