import { applicationContext } from '#app/server/context.ts'
import type { SizeAnswer } from '#app/ui/finder-drawing.tsx'
import { readSizeReadOut, unreadableSize } from './finder.server.ts'
import type { Route } from './+types/finder-size.ts'

/** Returns a size in any notation with its dimensions, its number of tires, and the tire to show. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const known = await readSizeReadOut(context.get(applicationContext), url.searchParams.get('size') ?? '')
  const answer: SizeAnswer = known?.view ?? { problem: unreadableSize }
  return Response.json(answer, { headers: { 'Cache-Control': 'public, s-maxage=60' } })
}
