import pino from 'pino'

export type Log = pino.Logger

/** One line of JSON per event on standard output. Levels as the specification numbers them: error 200, warn 300, info 400. */
export function createLog(level: string, name: string): Log {
  return pino({
    name,
    level,
    formatters: { level: (label) => ({ level: specifiedLevels[label] ?? label }) },
    redact: { paths: ['*.email', '*.phone', '*.password', '*.client_secret', 'headers.authorization', 'headers.cookie'], censor: '[hidden]' },
  })
}

const specifiedLevels: Record<string, number> = { error: 200, fatal: 200, warn: 300, info: 400, debug: 500 }
