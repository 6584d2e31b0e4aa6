import { z } from 'zod'
import { badZipMessage } from '#content/messages/places.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { zip } from '#api/schemas.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'

const place = z
  .strictObject({
    zip: z.string(),
    city: z.string(),
    state: z.string().meta({ description: 'Two-letter code' }),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    region: z
      .enum(['CONUS', 'AK', 'HI', 'TERRITORY', 'MILITARY'])
      .meta({ description: 'Shipping rate zone. We don’t ship to MILITARY.' }),
    timeZone: z.string().nullable().meta({ description: 'IANA time zone, if known' }),
  })
  .meta({ id: 'Place' })

export const placeOperations = [
  operation({
    id: 'findPlace',
    method: 'get',
    path: '/places/{zip}',
    area: 'Shops',
    summary: 'Look up a ZIP',
    audience: 'anyone',
    sharedSeconds: 3_600,
    params: z.strictObject({ zip }),
    result: place,
    refuses: ['UnknownZip'],
    async handle({ app, params }) {
      const found = await findPlace(app.db, params.zip)
      if (!found) return problem('UnknownZip', badZipMessage)
      const { zipType: _, ...view } = found
      return answer(view)
    },
  }),
]
