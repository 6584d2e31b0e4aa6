import pino from 'pino'
import { currentRequestId } from '#platform/request-scope.ts'

export type Log = pino.Logger

/**
 * One line of JSON per event on standard output, or on `destination`. Levels as the specification numbers them: error 200, warn 300, info 400. A line
 * that is written for a request, or for a job that a request asked for, has its `requestId`.
 */
export function createLog(level: string, name: string, destination?: pino.DestinationStream): Log {
  return pino(
    {
      name,
      level,
      mixin: () => {
        const requestId = currentRequestId()
        return requestId === undefined ? {} : { requestId }
      },
      formatters: { level: (label) => ({ level: specifiedLevels[label] ?? label }) },
      redact: { paths: ['*.email', '*.phone', '*.password', '*.client_secret', 'headers.authorization', 'headers.cookie'], censor: '[hidden]' },
    },
    destination ?? pino.destination(1),
  )
}

const specifiedLevels: Record<string, number> = { error: 200, fatal: 200, warn: 300, info: 400, debug: 500 }
