/** The content of the AI agents page, which lists the tools by group with their limits. */
import { cartLinkMinutes } from '#domain/payments/cart/cart.ts'
import { serverPaths } from '#content/server-paths.ts'
import { holdMinutes } from '#domain/scheduling/booking/booking.ts'
import { agentLimits } from '#mcp/agent-limits.ts'
import { mcpPath } from '#mcp/messages.ts'
import { personActs } from '#mcp/person-acts.ts'
import { toolsOf } from '#mcp/tool-list.ts'
import type { ToolAudience } from '#mcp/tool.ts'
import type { Application } from '#application'

const groups: Readonly<Record<ToolAudience, string>> = {
  anyone: 'Without a key',
  cart: 'With the key of a cart',
  account: 'With the owner’s permission',
}

export function readAgents({ config: { web, store, api }, identity }: Application) {
  const tools = toolsOf({ hasAccounts: identity !== null })
  return {
    store,
    address: web.origin + mcpPath,
    profile: web.origin + serverPaths.agentProfile(),
    metadata: identity && `${web.origin}/.well-known/oauth-protected-resource${mcpPath}`,
    groups: Object.entries(groups)
      .map(([audience, name]) => ({
        audience,
        name,
        tools: tools
          .filter((tool) => tool.audience === audience)
          .map(({ name: id, title, description }) => ({ id, title, description })),
      }))
      .filter((group) => group.tools.length > 0),
    personActs: [...personActs],
    limits: {
      callsPerMinute: api.callsPerMinute,
      cartCallsPerMinute: agentLimits.cartCallsPerMinute,
      bodyKb: agentLimits.bodyBytes / 1_024,
      holdMinutes,
      cartLinkMinutes,
    },
  }
}
