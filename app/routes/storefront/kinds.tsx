import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { KindGrid } from '#app/ui/listing-kinds.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { listKinds } from '#domain/catalog/catalog/catalog.server.ts'
import { kindViews } from './kinds.server.ts'
import type { Route } from './+types/kinds.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageHead(
    matches,
    loaderData?.isOfTypes
      ? {
          title: 'Tires by type',
          description: 'How to choose between all-season, winter, all-terrain, and other tires.',
          path: paths.types(),
        }
      : {
          title: 'Tires by category',
          description: 'Every category of tire we sell, in plain words.',
          path: paths.categories(),
        },
  )

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** The types, or the finer categories. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { types, categories } = await listKinds(context.get(applicationContext).catalog)
  const isOfTypes = url.pathname === paths.types()
  return {
    isOfTypes,
    kinds: isOfTypes
      ? kindViews(types, 'type', { isDefined: true })
      : kindViews(categories, 'category', { isDefined: true }),
  }
}

export default function Kinds({ loaderData: { isOfTypes, kinds } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <h1>Tires by {isOfTypes ? 'type' : 'category'}</h1>
        <p className="muted">
          {kinds.length === 0 ? (
            'No tires for sale yet.'
          ) : isOfTypes ? (
            <>
              What each is for, drawn to one scale. For finer distinctions, see the{' '}
              <a href={paths.categories()}>categories</a>.
            </>
          ) : (
            <>
              Finer than the <a href={paths.types()}>types</a>, drawn to one scale.
            </>
          )}
        </p>
      </div>
      <KindGrid kinds={kinds} heading="h2" />
    </div>
  )
}
