/**
 * Loaded into a month's processes to replace two modules that detect clock steps late. The database clock is otherwise
 * read every 15 seconds. This one uses the machine's clock, which libfaketime moves for all processes together. The
 * worker's timetable would run every minute of a step. This one is empty, and the simulation queues due jobs by the
 * store's own timetable (due-jobs.ts).
 */
import { registerHooks } from 'node:module'

const replaced = {
  '/platform/database-clock.ts':
    'export const startDatabaseClock = async () => ({ now: () => Temporal.Now.instant(), read: async () => {}, stop() {} })',
  '/timetable.ts': 'export const timetable = () => ""',
}

registerHooks({
  load(url, context, next) {
    const source = Object.entries(replaced).find(([path]) => url.endsWith(path))?.[1]
    return source === undefined ? next(url, context) : { format: 'module', shortCircuit: true, source }
  },
})
