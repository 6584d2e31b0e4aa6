/** Short outages while users continue, selected by the seed. */
import { setTimeout as later } from 'node:timers/promises'
import type { Random } from '../../faults/random.ts'
import { today, type Life } from './life.ts'

const kinds = ['web killed', 'worker killed', 'providers silent', 'database restarted'] as const
type Kind = (typeof kinds)[number]

/** Returns a day's outage. There is one on every third day, and one of each kind in the first days. */
export function outageOf(day: number, random: Random): Kind | undefined {
  const first = kinds[day - 1]
  if (first !== undefined) return first
  return random.chance(1 / 3) ? random.pick(kinds) : undefined
}

/** Stops a process briefly and restarts it. */
export async function goDown(life: Life, kind: Kind): Promise<void> {
  const { store, restartDatabase } = life.place
  today(life).outages.push(kind)
  await later(800)
  if (kind === 'database restarted') return restartDatabase()
  const name = kind === 'web killed' ? 'web' : kind === 'worker killed' ? 'worker' : 'sandbox'
  await store.kill(name)
  await later(kind === 'providers silent' ? 2_000 : 300)
  await store.revive(name)
}
