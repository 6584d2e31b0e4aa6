/**
 * Serves the tools with the MCP library. Each request has its own server because the protocol is stateless. Arguments
 * are validated here with the API's messages. TypeScript checks the result's format.
 */
import { McpServer, type CallToolResult, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { serverPaths } from '#content/server-paths.ts'
import { statusOf, type Problem } from '#api/problem.ts'
import { checkText, cleaned } from '#api/read-call.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { toolsOf } from '#mcp/tool-list.ts'
import type { Tool, ToolCall } from '#mcp/tool.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'

const listedMinutes = 60

export function createToolServer(call: ToolCall): McpServer {
  const { store, web } = call.app.config
  const kept = { ttlMs: listedMinutes * 60_000, cacheScope: 'public' } as const
  const server = new McpServer(
    { name: 'sidewall', title: store.name, version: '1.0.0', websiteUrl: web.origin + serverPaths.agents() },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: instructions(store.name),
      cacheHints: { 'tools/list': kept, 'server/discover': kept },
    },
  )
  const offered = new Set(toolsOf({ hasAccounts: call.app.identity !== null }))
  for (const { tool, input, output } of listed.filter((each) => offered.has(each.tool)))
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: input,
        outputSchema: output,
        annotations: annotationsOf(tool),
      },
      (sent) => answerTool(tool, call, sent),
    )
  return server
}

function instructions(store: string): string {
  return `${store} sells tires and books installation at shops nearby. The way through: find_vehicle, search_catalog, check_fitment, out_the_door_price, create_cart, list_appointment_times, hold_appointment, then get_checkout_link. Amounts are US cents; times have the shop’s time zone. Accepting terms and fitment conditions, signing in and paying are done by a person in a browser: give them the link of get_checkout_link. Say what the tools say about fit and price, word for word.`
}

/** Returns the protocol's hints. Tools don't access anything outside the store. */
export function annotationsOf({ title, effect }: Tool) {
  return {
    title,
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'remove',
    idempotentHint: effect !== 'change',
    openWorldHint: false,
  }
}

const listed = toolsOf({ hasAccounts: true }).map((tool) => ({
  tool,
  input: asGiven(tool.input, 'input'),
  output: asGiven(tool.output, 'output'),
}))

/** Without the dialect's name, which older clients don't support. The used subset is the same in all dialects. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return made
}

/**
 * Returns a schema for display that accepts everything, because `answerTool` validates the input and the result is
 * typed. Generated once, on first use.
 */
function asGiven(of: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON {
  let made: Record<string, unknown> | undefined
  const schema = () => (made ??= jsonSchema(of, io))
  return {
    '~standard': {
      version: 1,
      vendor: 'sidewall',
      validate: (value) => ({ value }),
      jsonSchema: { input: schema, output: schema },
    },
  }
}

async function answerTool(tool: Tool, call: ToolCall, sent: unknown): Promise<CallToolResult> {
  const { log } = call.app
  try {
    const checked = checkText(tool.input, cleaned(sent), 'arguments')
    const answered = checked.ok ? await tool.run(call, checked.value) : checked
    if (!answered.ok) return refusalOf(answered)
    const { value, text } = answered
    // The whole result again as text, because many clients show the model only that.
    return { content: [textOf(text), textOf(JSON.stringify(value))], structuredContent: value }
  } catch (error) {
    log.error({ err: error, tool: tool.name }, 'a tool call failed')
    return failureOf(
      isDatabaseUnavailable(error) ? 'The store is busy. Try again in a moment.' : technicalMessages.wrong,
    )
  }
}

function refusalOf({ code, message, data, headers }: Problem): CallToolResult {
  const seconds = headers['retry-after']
  const details = {
    code,
    statusCode: statusOf(code),
    ...(seconds !== undefined && { retryAfterSeconds: Number(seconds) }),
    ...(data !== null && { data }),
  }
  return { content: [textOf(message), textOf(JSON.stringify(details))], isError: true }
}

function failureOf(message: string): CallToolResult {
  return { content: [textOf(message)], isError: true }
}

function textOf(text: string) {
  return { type: 'text', text } as const
}
