/**
 * Loaded into the processes of a month, in place of two modules that know a step of the clock only later. The database's
 * clock would be read again within 15 seconds: here it is the machine's, which libfaketime moves for all of them at once.
 * The worker's timetable would make up for each minute of a step: here it is empty, and the month queues what came due, by
 * the store's own timetable (due-jobs.ts).
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
