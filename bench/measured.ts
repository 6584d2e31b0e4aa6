/**
 * Loaded first (`node --import`) into every process that is measured. Counts the statements it sends to the database,
 * and reports its usage to its parent on request.
 */
import pg from 'pg'

/** A process's usage since its start. */
export type Usage = { statements: number; cpuMilliseconds: number; residentMb: number }

let statements = 0
pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
  apply(query, client, parameters) {
    statements += 1
    return Reflect.apply(query, client, parameters) as unknown
  },
})

process.on('message', (message) => {
  if (message !== 'usage') return
  const { user, system } = process.cpuUsage()
  const usage: Usage = {
    statements,
    cpuMilliseconds: (user + system) / 1000,
    residentMb: process.memoryUsage.rss() / 2 ** 20,
  }
  process.send?.({ type: 'usage', usage })
})
// Waiting for requests must not keep a finished process alive.
process.channel?.unref()
