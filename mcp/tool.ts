/**
 * One tool of the MCP server: its name, what it takes and gives, and what it does. The list that agents read, the page
 * /agents and llms.txt are made from these values.
 */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import type { Problem } from '#api/problem.ts'
import type { AppScope } from '#domain/accounts/accounts.ts'
import type { Shop } from '#shop'

export type ToolCall = { readonly shop: Shop; readonly caller: Caller }

/** What a tool answers: its structured content, and a sentence that says the same in short. */
export type Told<Value> = { readonly ok: true; readonly value: Value; readonly text: string }

/**
 * Who may call: `anyone`; whoever has the key of a cart (`cart`), which is an argument; or an app with a token of an
 * account's owner (`account`).
 */
export type ToolAudience = 'anyone' | 'cart' | 'account'

type Described = {
  readonly name: string
  readonly title: string
  /** For the model that chooses among tools: what it does, what it needs and what comes next. */
  readonly description: string
  readonly audience: ToolAudience
  /** `read` changes nothing; `change` may be repeated without harm; `remove` takes something away. */
  readonly effect: 'read' | 'change' | 'remove'
  /** The scope that a token needs, where one is sent. */
  readonly scope?: AppScope
}

/** A tool with its types erased. */
export type Tool = Described & {
  readonly input: z.ZodObject<z.core.$ZodShape>
  readonly output: z.ZodObject<z.core.$ZodShape>
  run(call: ToolCall, input: unknown): Promise<Told<Record<string, unknown>> | Problem>
}

/** Defines a tool; the types of its input and answer follow from the schemas. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  described: Described & {
    input: Input
    output: Output
    run(call: ToolCall, input: z.output<Input>): Promise<Told<z.input<Output>> | Problem>
  },
): Tool {
  return described
}

export function told<Value>(value: Value, text: string): Told<Value> {
  return { ok: true, value, text }
}

/** The same call with the cart that an argument names. */
export function withCart(call: ToolCall, cartKey: string): ToolCall {
  return { ...call, caller: { ...call.caller, cartId: cartKey } }
}
