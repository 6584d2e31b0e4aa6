/** CarsXE's License Plate Decoder v2: https://docs.carsxe.com/api-reference/plate-decoder/license-plate-decoder-v2 */
import { z } from 'zod'
import type { PlateLookup } from '#domain/catalog/vehicles/plate-lookup.port.ts'
import { jsonIn } from '#platform/json-text.ts'
import type { Log } from '#platform/log.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { ok, refused } from '#platform/outcome.ts'
import { requestIdHeader } from '#platform/request-scope.ts'

export type CarsXeConfig = {
  /** https://api.carsxe.com, or a server that speaks its protocol. */
  apiOrigin: string
  apiKey: string
}

/** It delays a shopper's page. */
const timeoutMs = 6_000
const maxBytes = 64 * 1024

const found = z.object({ success: z.literal(true), vin: z.string().trim().max(40).nullish() })

/** Looks up plates. The protocol has the key and the plate in the URL, so errors are logged without it. */
export function createCarsXe({ apiOrigin, apiKey }: CarsXeConfig, { outgoing, log }: Deps): PlateLookup {
  const unavailable = (fault: string) => {
    log.warn({ fault }, 'A license plate could not be looked up')
    return refused('unavailable')
  }
  return {
    async vinOf({ plate, state }) {
      const query = new URLSearchParams({ key: apiKey, plate, state, country: 'US' })
      const headers = { accept: 'application/json', ...requestIdHeader() }
      const answer = await outgoing.get({
        url: `${apiOrigin}/v2/platedecoder?${query.toString()}`,
        headers,
        timeoutMs,
        maxBytes,
      })
      if (!answer.ok) return unavailable(answer.fault)
      if (answer.status === 404) return refused('unknown')
      if (answer.status !== 200 || answer.isCut) return unavailable(`status ${answer.status}`)
      const read = found.safeParse(jsonIn(answer.body))
      if (!read.success) return unavailable('answer in another form')
      return read.data.vin ? ok(read.data.vin) : refused('unknown')
    },
  }
}

type Deps = { outgoing: Outgoing; log: Pick<Log, 'warn'> }
