import { shopContext } from '#app/server/context.ts'
import type { SizeAnswer } from '#app/ui/finder-drawing.tsx'
import { readSizeReadOut, unreadableSize } from './finder.server.ts'
import type { Route } from './+types/finder-size.ts'

/** Details of a size in any notation: its dimensions, how many tires come in it, and which one to show. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const known = await readSizeReadOut(context.get(shopContext), url.searchParams.get('size') ?? '')
  const answer: SizeAnswer = known?.view ?? { problem: unreadableSize }
  return Response.json(answer, { headers: { 'Cache-Control': 'public, s-maxage=60' } })
}
