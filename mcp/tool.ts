/**
 * An MCP tool with its name, input, output, and handler. The agents' tool list, the page /agents, and llms.txt are
 * generated from these values.
 */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import type { Problem } from '#api/problem.ts'
import type { AppScope } from '#domain/customers/accounts/accounts.ts'
import type { Application } from '#application'

export type ToolCall = { readonly app: Application; readonly caller: Caller }

/** A tool's structured content and its summary sentence. */
export type Told<Value> = { readonly ok: true; readonly value: Value; readonly text: string }

/**
 * Who can call. The value is `anyone`, `cart` for callers with a cart key as an argument, or `account` for an app with
 * an account owner's token.
 */
export type ToolAudience = 'anyone' | 'cart' | 'account'

type Described = {
  readonly name: string
  readonly title: string
  /** The tool's effect, requirements, and next step, for the model that selects a tool. */
  readonly description: string
  readonly audience: ToolAudience
  /** `read` makes no changes, `change` is idempotent, and `remove` deletes data. */
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
