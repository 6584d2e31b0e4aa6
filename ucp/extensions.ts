/** The versions of the store's extensions, which differ from the release. */
import type { UcpContext } from '#ucp/context.ts'
import { extensionNames, extensionVersion } from '#ucp/profile.ts'

export function extensionVersions({ app }: UcpContext): ReadonlyMap<string, string> {
  const names = Object.values(extensionNames(app.config.web.origin))
  return new Map(names.map((name) => [name, extensionVersion]))
}

export const speaksAppointment = (context: UcpContext): boolean =>
  context.agent.capabilities.has(extensionNames(context.app.config.web.origin).appointment)
