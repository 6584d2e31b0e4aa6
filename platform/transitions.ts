/**
 * A state machine as data: for each state, the states it may change to. One table serves the use case, the button and
 * the refusal text.
 */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

/** The states from which `to` can be entered: for the `where state in (…)` of the update. */
export function statesBefore<State extends string>(life: Transitions<State>, to: State): State[] {
  return (Object.keys(life) as State[]).filter((from) => life[from].includes(to))
}
