/** Preloaded (`node --import`) into every supervised process, so that it ends with the supervisor. */
import { setTimeout as after } from 'node:timers'

const timeToStop = 8_000

// The channel to the supervisor must not keep a process alive that has finished its work.
process.channel?.unref()
process.once('disconnect', () => {
  // Most processes stop on this event. Others get the supervisor's signal.
  if (process.listenerCount('disconnect') === 0) process.kill(process.pid, 'SIGTERM')
  after(() => process.exit(1), timeToStop).unref()
})
