/** Wheel-Size's Wheel Fitment API v2: https://api.wheel-size.com/v2/openapi/ */
import { z } from 'zod'
import type { SizeProblem, SizeSource, StatedSizes, StatedTire } from '#domain/catalog/vehicles/size-source.port.ts'
import { jsonIn } from '#platform/json-text.ts'
import type { Log } from '#platform/log.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { ok, refused } from '#platform/outcome.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { slugOf } from '#platform/slug.ts'

export type WheelSizeConfig = {
  /** https://api.wheel-size.com, or a server that speaks its protocol. */
  apiOrigin: string
  apiKey: string
  callsPerDay: number
}

const timeoutMs = 6_000
const maxBytes = 2 * 1024 * 1024

const axle = z.object({
  tire: z.string().max(40).nullish(),
  load_index: z.number().int().min(1).max(279).nullish().catch(null),
  speed_index: z.string().max(10).nullish().catch(null),
})
const wheels = z.object({
  is_stock: z.boolean(),
  showing_fp_only: z.boolean().nullish(),
  front: axle,
  rear: axle.nullish(),
})
const found = z.object({
  data: z
    .array(
      z.object({
        trim_levels: z.array(z.string().max(100)).max(100).nullish(),
        wheels: z.array(wheels).max(300),
      }),
    )
    .max(300),
  meta: z.object({ count: z.number().int() }),
})
type Wheels = z.infer<typeof wheels>
type Modification = z.infer<typeof found>['data'][number]

/** Looks up sizes. The protocol has the key in the URL, so errors are logged without it. */
export function createWheelSize(
  { apiOrigin, apiKey, callsPerDay }: WheelSizeConfig,
  { outgoing, log }: { outgoing: Outgoing; log: Pick<Log, 'warn'> },
): SizeSource {
  const failed = (problem: SizeProblem, fault: string) => {
    log.warn({ fault }, 'Original sizes could not be looked up')
    return refused(problem)
  }
  return {
    name: 'wheel-size',
    callsPerDay,
    async sizesOf({ year, makeSlug, modelSlug }) {
      const asked = { user_key: apiKey, make: makeSlug, model: modelSlug, year: String(year), region: 'usdm' }
      const answer = await outgoing.get({
        url: `${apiOrigin}/v2/search/by_model/?${new URLSearchParams(asked).toString()}`,
        headers: { accept: 'application/json', ...requestIdHeader() },
        timeoutMs,
        maxBytes,
      })
      if (!answer.ok) return failed('unavailable', answer.fault)
      const { status } = answer
      if (status === 401 || status === 403) return failed('refused-key', `status ${status}`)
      if (status === 429) return failed('over-quota', `status ${status}`)
      if (status !== 200 || answer.isCut) return failed('unavailable', `status ${status}`)
      const read = found.safeParse(jsonIn(answer.body))
      if (!read.success) return failed('unavailable', 'answer in another form')
      if (read.data.meta.count > read.data.data.length) return failed('unavailable', 'only a part of the answer')
      return ok(read.data.data.map(statedSizes))
    },
  }
}

/** The original choices of a modification, as the service states them. */
function statedSizes({ trim_levels: names, wheels: all }: Modification): StatedSizes {
  const stock = all.filter(({ is_stock: isStock }) => isStock)
  return { trims: (names ?? []).map(slugOf), choices: stock.map(choiceOf) }
}

function choiceOf({ front, rear, showing_fp_only: isFrontOnly }: Wheels): StatedSizes['choices'][number] {
  const first = tireOf(front)
  return { front: first, rear: rear?.tire ? tireOf(rear) : isFrontOnly ? first : null }
}

function tireOf({ tire, load_index: loadIndex, speed_index: speed }: Wheels['front']): StatedTire {
  return { size: tire ?? '', loadIndex: loadIndex ?? null, speed: speed ?? null }
}
