/**
 * Loaded first (`node --import`) into every supervised process, so that none outlives the supervisor, however that
 * ends.
 */
import { setTimeout as after } from 'node:timers'

const timeToStop = 8_000

// The channel to the supervisor must not keep a process alive that has finished its work.
process.channel?.unref()
process.once('disconnect', () => {
  // Most stop by themselves on this event; one that does not listen gets the supervisor's signal.
  if (process.listenerCount('disconnect') === 0) process.kill(process.pid, 'SIGTERM')
  after(() => process.exit(1), timeToStop).unref()
})
