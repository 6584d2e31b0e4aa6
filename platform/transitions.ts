/**
 * The life of a thing as data: from each state, which states it may go to. One table serves the use case, the button
 * and the refusal's text.
 */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

/** The states `to` may be entered from: for the `where state in (…)` of the statement that enters it. */
export function statesBefore<State extends string>(life: Transitions<State>, to: State): State[] {
  return (Object.keys(life) as State[]).filter((from) => life[from].includes(to))
}
