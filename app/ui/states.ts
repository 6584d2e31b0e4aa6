/** The fifty states, the District and the territories we ship to, by name. */
export { usStates as stateOptions } from '#platform/us-states.ts'
