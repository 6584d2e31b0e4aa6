import { pageWithText } from '#app/content/pages.server.ts'
import { WrittenArticle } from '#app/ui/written-article.tsx'
import { writtenView } from '#app/views/written-page.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { findContentPage } from '#app/views/office/content.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findContentVersion } from '#domain/kernel/content/content.server.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Route } from './+types/content-preview.ts'

/** A staff-only preview of a version with the store's header and footer. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches, params }) =>
  pageHead(matches, {
    title: loaderData?.title ?? 'Preview',
    description: loaderData?.description ?? 'For staff.',
    path: officePaths.officeContentPreview(params.page, Number(params.version)),
    isIndexed: false,
  })

export async function loader({ context, params }: Route.LoaderArgs) {
  const path = officePaths.officeContentPreview(params.page, Number(params.version))
  const { app } = await requireStaff(context, 'content.edit', path)
  const page = await findContentPage(app, params.page)
  const version = await findContentVersion(app, page.path, params.version)
  if (!version) throw new Response(null, { status: 404 })
  const day = storeDay(version.startsAt ?? app.clock.now())
  return writtenView(version.text ? await pageWithText(page, version.text, { day, store: 'own' }) : page, app.config)
}

export default function ContentPreview({ loaderData }: Route.ComponentProps) {
  return <WrittenArticle page={loaderData} />
}
