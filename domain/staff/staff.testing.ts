import type { Actor } from './staff.server.ts'

/** Whoever runs a command on the server: tests act as them where the roles of the office do not matter. */
export const desk: Actor = { via: 'command line', name: 'desk' }
