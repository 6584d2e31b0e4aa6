/** A drill's PostgreSQL servers, which run Debian's programs on the drill's own folders. */
import { accepts, startPart, type Part, type Parts } from './debian-parts.ts'

/** Where the parts have PostgreSQL's programs. */
export const programs = '/usr/lib/postgresql/18/bin'

type Given = { data: string; port: number; socket: string; more?: Record<string, string>; env?: Record<string, string> }

/** Starts a server over `data`; settles once it answers, which may be before it takes statements. */
export async function startServer(parts: Parts, { data, port, socket, more = {}, env = {} }: Given): Promise<Part> {
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socket,
    ...more,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const part = startPart(parts, { program: `${programs}/postgres`, args: ['-D', data, ...flags], env })
  await accepts(part, port)
  return part
}
