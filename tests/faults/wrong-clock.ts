/**
 * Preloaded into a store's processes by a test. Changes the clock by CLOCK_WRONG_BY="server.ts=-10 worker.ts=10"
 * (minutes).
 */
const { argv, env } = process
const [, minutes = 0] =
  (env['CLOCK_WRONG_BY'] ?? '')
    .split(' ')
    .map((entry) => entry.split('='))
    .find(([script = '']) => argv[1]?.endsWith(script)) ?? []
const wrongByMs = Number(minutes) * 60_000
const trueInstant = Temporal.Now.instant
const trueMs = Date.now

Temporal.Now.instant = () => trueInstant.call(Temporal.Now).add({ milliseconds: wrongByMs })
Date.now = () => trueMs() + wrongByMs
