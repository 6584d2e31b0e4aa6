import { shopContext } from '#app/http/context.ts'
import type { LineChoices, SizeChoices, VehicleChoices } from '#app/ui/finder-choices.ts'
import { listSizes } from '#domain/catalog/catalog.server.ts'
import { readCascade, readLines } from './finder.server.ts'
import type { Route } from './+types/finder-choices.ts'

/** What the finder's lists may hold: makes, models and trims after a year; the lines of a brand; or every size that is sold. */
export async function loader({ context, url: { searchParams } }: Route.LoaderArgs): Promise<Response> {
  const shop = context.get(shopContext)
  const text = (name: string) => searchParams.get(name)?.slice(0, 60) ?? ''
  if (text('list') === 'sizes') return answer({ sizes: (await listSizes(shop.catalog)).map(({ designation }) => designation) } satisfies SizeChoices)
  if (text('brand') !== '') return answer({ lines: await readLines(shop, text('brand').toLowerCase()) } satisfies LineChoices)
  const { makes, models, trims } = await readCascade(shop, { year: text('year'), make: text('make'), model: text('model'), trim: '' })
  return answer({ makes, models, trims } satisfies VehicleChoices)
}

function answer(choices: VehicleChoices | LineChoices | SizeChoices): Response {
  return Response.json(choices, { headers: { 'Cache-Control': 'public, s-maxage=300' } })
}
