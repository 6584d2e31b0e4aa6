/** Wheel-Size's Wheel Fitment API v2: https://api.wheel-size.com/v2/openapi/ */
import { z } from 'zod'
import type { WheelFacts } from '#domain/catalog/fitment/fitment.ts'
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
  rim_offset: z.number().min(-200).max(200).nullish().catch(null),
  tire_pressure: z
    .object({ psi: z.number().min(10).max(150) })
    .nullish()
    .catch(null),
})
/** Facts of the whole vehicle. The rear axle has further ones where it differs. */
const technical = z.object({
  bolt_pattern: z.string().max(20).nullish().catch(null),
  rear_axis_bolt_pattern: z.string().max(20).nullish().catch(null),
  centre_bore: z.coerce.number().min(30).max(300).nullish().catch(null),
  rear_axis_centre_bore: z.coerce.number().nullish().catch(null),
  wheel_tightening_torque: z.string().max(30).nullish().catch(null),
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
        technical: technical.nullish().catch(null),
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
function statedSizes({ trim_levels: names, wheels: all, technical: facts }: Modification): StatedSizes {
  const stock = all.filter(({ is_stock: isStock }) => isStock)
  return { trims: (names ?? []).map(slugOf), choices: stock.map((each) => choiceOf(each, facts)) }
}

function choiceOf(
  { front, rear, showing_fp_only: isFrontOnly }: Wheels,
  facts: Modification['technical'],
): StatedSizes['choices'][number] {
  const first = tireOf(front)
  const last = rear?.tire ? rear : isFrontOnly ? front : null
  return {
    front: first,
    rear: last && tireOf(last),
    wheels: {
      frontPsi: psiOf(front),
      rearPsi: psiOf(last),
      frontOffsetMm: offsetOf(front),
      rearOffsetMm: offsetOf(last),
      ...hubOf(facts),
    },
  }
}

function psiOf(of: Wheels['front'] | null): number | null {
  return of?.tire_pressure ? Math.round(of.tire_pressure.psi) : null
}

function offsetOf(of: Wheels['front'] | null): { min: number; max: number } | null {
  const offset = of?.rim_offset ?? null
  return offset === null ? null : { min: offset, max: offset }
}

/** Facts that differ by axle are left out, and so is a torque that isn't written like "108 Nm". */
function hubOf(
  facts: Modification['technical'],
): Pick<WheelFacts, 'boltPattern' | 'hubBoreMm' | 'tpms' | 'torqueLbFt'> {
  const isSame = <Value>(front: Value, rear: Value) => !rear || rear === front
  const pattern = facts?.bolt_pattern ?? ''
  const bore = facts?.centre_bore ?? null
  return {
    boltPattern:
      /^\d{1,2}x\d{2,3}(?:\.\d{1,2})?$/.test(pattern) && isSame(pattern, facts?.rear_axis_bolt_pattern)
        ? pattern
        : null,
    hubBoreMm: isSame(bore, facts?.rear_axis_centre_bore) ? bore : null,
    tpms: null,
    torqueLbFt: poundFeetOf(facts?.wheel_tightening_torque ?? ''),
  }
}

function poundFeetOf(torque: string): number | null {
  const newtonMeters = Number(/^(\d{2,3}) ?Nm$/.exec(torque)?.[1] ?? 0)
  const poundFeet = Math.round(newtonMeters * 0.737_562)
  return poundFeet >= 20 && poundFeet <= 700 ? poundFeet : null
}

function tireOf({ tire, load_index: loadIndex, speed_index: speed }: Wheels['front']): StatedTire {
  return { size: tire ?? '', loadIndex: loadIndex ?? null, speed: speed ?? null }
}
