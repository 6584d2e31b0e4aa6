/** Every tool, in the order agents see them. */
import { accountTools } from '#mcp/tools/account.ts'
import { appointmentTools } from '#mcp/tools/appointments.ts'
import { cartTools } from '#mcp/tools/carts.ts'
import { findingTools } from '#mcp/tools/finding.ts'
import { judgingTools } from '#mcp/tools/judging.ts'
import { orderTools } from '#mcp/tools/orders.ts'
import { serviceTools } from '#mcp/tools/services.ts'
import type { Tool } from '#mcp/tool.ts'

const forAll = [...findingTools, ...judgingTools, ...cartTools, ...appointmentTools, ...serviceTools, ...orderTools]

/** A store without accounts has no tools for them. */
export function toolsOf({ hasAccounts }: { hasAccounts: boolean }): readonly Tool[] {
  return hasAccounts ? [...forAll, ...accountTools] : forAll
}
