import { remember } from '#app/server/account-memory.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { withRecent } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { Finder } from '#app/ui/finder.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { readFinder } from './finder.server.ts'
import type { Route } from './+types/find.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Find your tires',
    description: 'By vehicle, by size or by brand.',
    path: paths.find(),
    isIndexed: false,
  })

/**
 * Requests missing details until the vehicle, size, or brand is known, then redirects. Saves the selected vehicle in
 * the browser.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const { view, answer } = await readFinder(app, visitor, url.searchParams)
  if (!answer) return { view, step: stepOf(view.vehicle.chosen) }
  const { path, label, vehicle } = answer
  throw seeOther(
    path,
    remember(context, {
      recent: withRecent(visitor.recent, { label, path }),
      ...(vehicle && { vehicle: encodeChosenVehicle(vehicle) }),
    }),
  )
}

export default function Find({ loaderData: { view, step } }: Route.ComponentProps) {
  return (
    <div className="wrap find-page">
      <h1>Find your tires</h1>
      <p className="muted">
        {view.way === 'vehicle'
          ? step
          : view.way === 'size'
            ? 'The size is on the side of your tires and on the label at the driver’s door.'
            : 'Every brand we sell, and its lines.'}
      </p>
      {/* A new URL resets the form, which discards earlier input. */}
      <Finder
        key={JSON.stringify([view.way, view.vehicle.chosen, view.size.front, view.size.typed])}
        view={view}
        path={paths.find()}
      />
    </div>
  )
}

function stepOf({ year, make, model }: { year: string; make: string; model: string }): string {
  if (year === '') return 'Choose the year your vehicle was made for. It may differ from the year it was sold.'
  if (make === '') return `${year}: now choose the make.`
  return model === ''
    ? 'Now choose the model.'
    : 'Last, choose the trim. If you’re not sure, choose that option and check your door label.'
}
