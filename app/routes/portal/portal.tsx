import { requirePortal } from '#app/server/portal.server.ts'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { shopRoleNames } from '#domain/scheduling/installers/installers.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/portal.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Your shops', portalPaths.portal())

/** Leads to the reader's shop, or lists their shops if there are several. */
export async function loader({ context }: Route.LoaderArgs) {
  const { session } = await requirePortal(context, portalPaths.portal())
  const [first, ...others] = session.shops
  if (first && others.length === 0) throw seeOther(portalPaths.day(first.code))
  return {
    shops: session.shops.map(({ code, shopName, role, isInSetUp, status }) => ({
      path: portalPaths.day(code),
      name: shopName,
      words: `${role === 'staff' ? '' : shopRoleNames[role]}${status === 'closed' ? ' · closed' : isInSetUp ? ' · in set-up' : ''}`,
    })),
  }
}

export default function Portal({ loaderData: { shops } }: Route.ComponentProps) {
  return (
    <div className="wrap portal narrow">
      <h1>Your shops</h1>
      <ul className="portal-list">
        {shops.map(({ path, name, words }) => (
          <li key={path}>
            <a href={path}>
              <b>{name}</b>
              <span>{words}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
