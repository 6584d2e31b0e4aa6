import { redirect } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { readMyVehicle } from './vehicle-panel.server.ts'
import type { Route } from './+types/my-vehicle.ts'

/** Redirects to the saved vehicle's tires, or to the finder without a saved vehicle. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const mine = await readMyVehicle(context.get(applicationContext), context.get(visitorContext))
  return redirect(mine?.path ?? paths.find())
}
