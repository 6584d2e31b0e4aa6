/**
 * Availability over HTTP and JSON, in the form of TireConnect's "Wholesale Web Services Requirements Overview", search
 * by part numbers. https://eaxisinc.atlassian.net/wiki/x/AwBDkw
 */
import { z } from 'zod'
import {
  maxPartNumbers,
  type AvailabilityConnection,
  type AvailabilityService,
  type AvailablePart,
} from '#domain/supply/stock/availability.port.ts'
import { jsonIn } from '#platform/json-text.ts'
import type { Outgoing, OutgoingAnswer } from '#platform/outgoing-http.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { requestIdHeader } from '#platform/request-scope.ts'

const maxAnswerBytes = 512 * 1024
const mostUnits = 1_000_000

/** Suppliers write IDs as text or as numbers. */
const idText = z.union([z.string().trim().min(1).max(70), z.number().int().nonnegative()]).transform(String)

const partSchema = z.object({
  part_number: idText,
  brand: z.string().max(100).default(''),
  cost: z.number().positive().max(1_000_000).nullish(),
  branches: z
    .array(z.object({ id: idText, quantity: z.number().nonnegative().max(mostUnits) }))
    .max(500)
    .default([]),
})
const answerSchema = z.array(partSchema).max(maxPartNumbers * 5)

type Unavailable = Refused<'unavailable', { fault: string }>

/** Suppliers' services, which `outgoing` reaches at public addresses only. */
export function createAvailabilityService(outgoing: Outgoing): AvailabilityService {
  return {
    refuse: (url) => outgoing.refuse(url),
    async query({ url, key }: AvailabilityConnection, partNumbers, { timeoutMs }) {
      const answer = await outgoing.post({
        url,
        body: JSON.stringify({ part_numbers: partNumbers }),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          authorization: `Bearer ${key}`,
          ...requestIdHeader(),
        },
        timeoutMs,
        maxBytes: maxAnswerBytes,
      })
      return readAnswer(answer)
    },
  }
}

function readAnswer(answer: OutgoingAnswer): Outcome<AvailablePart[], Unavailable> {
  const unavailable = (fault: string) => refused('unavailable', { fault })
  if (!answer.ok) return unavailable(answer.fault)
  if (answer.status !== 200) return unavailable(`status ${answer.status}`)
  if (answer.isCut) return unavailable('answer too long')
  const parsed = answerSchema.safeParse(jsonIn(answer.body))
  if (!parsed.success) return unavailable('answer in another form')
  return ok(
    parsed.data.map(({ part_number: partNumber, brand, cost, branches }) => ({
      partNumber,
      brand,
      costCents: cost == null ? null : Math.round(cost * 100),
      // Half a tire can’t be sold.
      branches: branches.map(({ id, quantity }) => ({ id, units: Math.floor(quantity) })),
    })),
  )
}
