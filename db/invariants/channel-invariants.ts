/** Invariants of webhooks, purchasing systems, and shopping agents. */
import { agentInvariants } from './agent-invariants.ts'
import type { Invariant } from './invariants.ts'
import { purchasingInvariants } from './purchasing-invariants.ts'
import { webhookInvariants } from './webhook-invariants.ts'

export const channelInvariants: readonly Invariant[] = [
  ...webhookInvariants,
  ...purchasingInvariants,
  ...agentInvariants,
]
