/** Every tool, in the order agents see them. */
import { appointmentTools } from '#mcp/tools/appointments.ts'
import { cartTools } from '#mcp/tools/carts.ts'
import { findingTools } from '#mcp/tools/finding.ts'
import { judgingTools } from '#mcp/tools/judging.ts'
import { orderTools } from '#mcp/tools/orders.ts'
import type { Tool } from '#mcp/tool.ts'

export const tools: readonly Tool[] = [
  ...findingTools,
  ...judgingTools,
  ...cartTools,
  ...appointmentTools,
  ...orderTools,
]
