/** The caller, with the agent's platform, the shared capabilities, and the network. */
import type { Application } from '#application'

/** The releases of the protocol that the store speaks, newest first. */
export const versions = ['2026-08-25', '2026-04-08'] as const
export type Version = (typeof versions)[number]

export type Agent = {
  /** The address of its profile. It identifies the platform. */
  readonly platform: string
  readonly version: Version
  /** The capabilities that both have. */
  readonly capabilities: ReadonlySet<string>
  readonly webhookUrl: string | null
  /** The keys it signs with. */
  readonly keys: readonly unknown[]
}

export type LinkedAccount = { readonly accountId: string; readonly scopes: readonly string[] }

/** The context of every operation on any transport. */
export type UcpContext = {
  readonly app: Application
  readonly agent: Agent
  /** An opaque key of the caller's network, for rate limits. */
  readonly networkKey: string
  /** The buyer who linked their account with the platform; null for a guest. The application is then as they see it. */
  readonly account: LinkedAccount | null
  /** Whether the request is signed by a key of the platform. */
  readonly isSigned: boolean
}

export const has = ({ agent }: UcpContext, capability: string): boolean => agent.capabilities.has(capability)
