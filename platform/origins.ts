/**
 * Ports that browsers and `fetch` refuse to connect to, whatever listens there: the "bad ports" of the Fetch Standard
 * (https://fetch.spec.whatwg.org/#bad-port).
 */
const blockedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
])

type OriginVariables = {
  PORT: number
  PUBLIC_ORIGIN?: string | undefined
  SANDBOX_PORT: number
  SANDBOX_ORIGIN?: string | undefined
}

/** The addresses at which browsers reach the store and the sandbox. */
export function originsOf(env: OriginVariables): { origin: string; sandboxOrigin: string } {
  return {
    origin: env.PUBLIC_ORIGIN ?? `http://localhost:${env.PORT}`,
    sandboxOrigin: env.SANDBOX_ORIGIN ?? `http://localhost:${env.SANDBOX_PORT}`,
  }
}

/** The variables that put the store or the sandbox at a port that browsers block, each with that port. */
export function blockedOrigins(env: OriginVariables): { name: keyof OriginVariables; port: number }[] {
  const { origin, sandboxOrigin } = originsOf(env)
  const named = [
    { name: env.PUBLIC_ORIGIN === undefined ? 'PORT' : 'PUBLIC_ORIGIN', port: portOf(origin) },
    { name: env.SANDBOX_ORIGIN === undefined ? 'SANDBOX_PORT' : 'SANDBOX_ORIGIN', port: portOf(sandboxOrigin) },
  ] as const
  return named.filter(({ port }) => blockedPorts.has(port))
}

/** Browsers always connect to the default port of a scheme, for which `URL` has an empty text: 0 here. */
function portOf(origin: string): number {
  return Number(new URL(origin).port)
}
