/** The page of every standalone office list. The URL determines the list. */
import { ListPage } from '#app/office/list-page.tsx'
import { listAt } from '#app/office/lists.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/list.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.list?.title ?? 'List', loaderData?.list?.path ?? officePaths.office())

export async function loader(args: Route.LoaderArgs) {
  return readList(args, listAt(args.url.pathname))
}

export default function List({ loaderData }: Route.ComponentProps) {
  return <ListPage data={loaderData} />
}
