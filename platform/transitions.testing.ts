import type { Transitions } from './transitions.ts'

/** Returns the table's states that are unreachable from `start`. Empty for a valid table. */
export function unreachableStates<State extends string>(life: Transitions<State>, start: State): State[] {
  const reached = new Set<State>([start])
  const waiting: State[] = [start]
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    for (const next of life[state]) {
      if (reached.has(next)) continue
      reached.add(next)
      waiting.push(next)
    }
  }
  return (Object.keys(life) as State[]).filter((state) => !reached.has(state))
}
