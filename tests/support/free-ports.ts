import { randomInt } from 'node:crypto'
import { tryListening } from '../../tools/ports.ts'

/**
 * Of each of Vitest's processes in each lane of `npm test`, so that no two of them ever give out the same port before
 * either listens on it.
 */
const place = (Number(process.env['TEST_LANE'] ?? 0) * 6 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 6)) % 24
const range = { first: 20_000 + place * 500, count: 500 }
let next = randomInt(range.count)

/**
 * Returns consecutive free ports. They are below Linux's ephemeral range, which starts at 32768, so that outgoing
 * connections can't use them before a store starts.
 */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    if (next + count > range.count) next = 0
    const ports = Array.from({ length: count }, (_, index) => range.first + next + index)
    next += count
    const refusals = await Promise.all(ports.map((port) => tryListening({ port })))
    if (refusals.every((refusal) => refusal === undefined)) return ports
  }
}
