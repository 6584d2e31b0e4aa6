/**
 * A state machine as data, with the allowed next states for each state. The use case, the button, and the refusal
 * message use the same table.
 */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

/** Returns the states that can change to `to`, for the update's `where state in (…)`. */
export function statesBefore<State extends string>(life: Transitions<State>, to: State): State[] {
  return (Object.keys(life) as State[]).filter((from) => life[from].includes(to))
}
