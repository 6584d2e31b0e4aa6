/** Popular vehicles for links on pages. */
import type { Database } from '#platform/db.ts'
import { vehicleName } from './vehicle.ts'
import { selectSizedVehiclesOf } from './vehicles.sql.server.ts'

export type PopularVehicle = {
  readonly name: string
  readonly year: number
  readonly makeSlug: string
  readonly modelSlug: string
  readonly size: string
}

/** Lists popular vehicles that have listed sizes, each with its most common original size. */
export async function listPopularVehicles({ db }: { db: Database }): Promise<PopularVehicle[]> {
  const sized = await selectSizedVehiclesOf(db, popular)
  return popular.flatMap(({ year, makeSlug, modelSlug }) => {
    const trims = sized.filter(
      ({ vehicle }) => vehicle.year === year && vehicle.makeSlug === makeSlug && vehicle.modelSlug === modelSlug,
    )
    const sizes = [
      ...Map.groupBy(
        trims.flatMap(({ fitments }) => fitments),
        (fitment) => fitment.front.size,
      ),
    ]
    const [commonest] = sizes.sort(([, a], [, b]) => b.length - a.length)
    const vehicle = trims[0]?.vehicle
    return vehicle && commonest
      ? [{ name: vehicleName({ ...vehicle, trim: undefined }), year, makeSlug, modelSlug, size: commonest[0] }]
      : []
  })
}

/** Among the best-selling vehicles in the United States in these years. */
const popular = [
  { year: 2021, makeSlug: 'toyota', modelSlug: 'rav4' },
  { year: 2020, makeSlug: 'ford', modelSlug: 'f-150' },
  { year: 2019, makeSlug: 'honda', modelSlug: 'cr-v' },
  { year: 2018, makeSlug: 'subaru', modelSlug: 'outback' },
  { year: 2022, makeSlug: 'honda', modelSlug: 'civic' },
  { year: 2019, makeSlug: 'jeep', modelSlug: 'wrangler' },
  { year: 2018, makeSlug: 'toyota', modelSlug: 'camry' },
  { year: 2021, makeSlug: 'tesla', modelSlug: 'model-3' },
] as const
