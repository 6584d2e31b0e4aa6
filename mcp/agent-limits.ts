/** What the MCP server takes from agents, on top of the calls a minute from one address (`API_CALLS_PER_MINUTE`). */
export const agentLimits = {
  /** Calls about one cart, in each process. */
  cartCallsPerMinute: 60,
  /** Calls of one app for one account, from any network, in each process. */
  appCallsPerMinute: 120,
  bodyBytes: 64 * 1024,
} as const
