/** Where we ship: the fifty states, the District and the territories, by name. */
export { usStates as stateOptions } from '#platform/us-states.ts'
