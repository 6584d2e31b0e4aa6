import { homedir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/**
 * Where what took long to make is kept from one clone to the next, by the hash of what it was made from: the built web
 * app and the unpacked browser. `SIDEWALL_CACHE` names another folder; deleting it costs time only.
 */
export function cacheFolder(): string {
  return env.SIDEWALL_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sidewall')
}
