/**
 * Handles all back office forms. A page declares its permission, its steps (its forms' buttons, each with a schema and
 * a use case), and its specific refusal messages. `decide` checks the permission and the fields, runs the step, and
 * redirects back to the page, or returns the form with errors and input.
 */
import { data, type RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { checkForm, formRefusal, readForm, readFormWithFile, refuseForm, type FormReply } from '#app/forms/form.ts'
import { isFresh, requireFresh, requireStaff, type Staff } from '#app/server/office.server.ts'
import { refusalMessages } from '#content/messages/refusals.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import { refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Application } from '#application'
import type { ActionCall, RecordAction, RecordActions } from './define-actions.server.ts'

type AnyRefusal = Refused<string, unknown>

/** The form's page. `path` is the page's URL, with the result in its query. */
export type DecisionPage = {
  /** "claim": what the messages call it. */
  noun: string
  permission: Permission
  path: (done?: string) => string
  /** The name of the form's file field. */
  file?: string
  /** The names of fields that never come back to the page. */
  secrets?: readonly string[]
  /** How many characters a field may have; 4,000 unless given. */
  longest?: number
  /** Whether a refusal for an old sign-in redirects to the sign-in and back, instead of retaining the input. */
  signsInAgain?: boolean
}

/** The form's submitter and fields. */
export type Posted = {
  app: Application
  by: Actor
  staff: Staff
  fields: URLSearchParams
  file: File | null
  signal: AbortSignal
}

/**
 * A button's effect, which on success returns the result value for the page's URL or a different URL, and otherwise the
 * refusal.
 */
export type Step<Refusal extends AnyRefusal = AnyRefusal> = {
  requiresFresh: boolean
  run(
    fields: URLSearchParams,
  ): Promise<{ done: Shown | null } | { refusal: Refusal } | { reply: FormReply } | { kept: Partial<FormReply> }>
}

type Shown = string | { shown: string }

/**
 * Where to go on success. It is a value for the page's URL (by default the button's), a whole URL, or one-time page
 * data.
 */
type Done<Value, Input> = string | ((value: Value, input: Input) => Shown | Promise<Shown>)

/** A button with a form checked by `form`, and then run with its input. */
export function step<Form extends z.ZodType, Value, Refusal extends AnyRefusal>(
  form: Form,
  act: (input: z.output<Form>) => Promise<Outcome<Value, Refusal>>,
  done?: Done<Value, z.output<Form>>,
): Step<Refusal> {
  return {
    requiresFresh: false,
    async run(fields) {
      const checked = checkForm(form, fields)
      return checked.ok ? settle(await act(checked.value), checked.value, done) : checked
    },
  }
}

/** A button that shows information about the entered values, which stay in the form. */
export function showing<Form extends z.ZodType, Value, Refusal extends AnyRefusal>(
  form: Form,
  act: (input: z.output<Form>) => Promise<Outcome<Value, Refusal>>,
  shownOf: (value: Value) => Partial<FormReply>,
): Step<Refusal> {
  return {
    requiresFresh: false,
    async run(fields) {
      const checked = checkForm(form, fields)
      if (!checked.ok) return checked
      const outcome = await act(checked.value)
      return outcome.ok ? { kept: shownOf(outcome.value) } : { refusal: outcome }
    },
  }
}

/** A button without fields. */
export function press<Value, Refusal extends AnyRefusal>(
  act: () => Promise<Outcome<Value, Refusal>>,
  done?: Done<Value, undefined>,
): Step<Refusal> {
  return { requiresFresh: false, run: async () => settle(await act(), undefined, done) }
}

/** The same button for staff who signed in recently; others sign in again first. */
export function fresh<Refusal extends AnyRefusal>(button: Step<Refusal>): Step<Refusal> {
  return { ...button, requiresFresh: true }
}

async function settle<Value, Input, Refusal extends AnyRefusal>(
  outcome: Outcome<Value, Refusal>,
  input: Input,
  done: Done<Value, Input> | undefined,
): Promise<{ done: Shown | null } | { refusal: Refusal }> {
  if (!outcome.ok) return { refusal: outcome }
  return { done: typeof done === 'function' ? await done(outcome.value, input) : (done ?? null) }
}

/**
 * A refusal's display, above the form with status 409, or at `field` or `fields` with 422, unless `status` overrides
 * it. `null` means that the page does not exist. `others` are the records that it is about, and `data` is what programs
 * get with it.
 */
export type RefusalText =
  | string
  | null
  | { text: string; status?: number; field?: string; others?: FormReply['others'] & {}; data?: object }
  | { fields: Readonly<Record<string, string>>; status?: number }

type SharedReason = keyof typeof refusalMessages
type DetailOf<Refusal extends AnyRefusal, Reason> = Extract<Refusal, { reason: Reason }>['detail']
type TextOf<Refusal extends AnyRefusal, Reason> = RefusalText | ((detail: DetailOf<Refusal, Reason>) => RefusalText)

/** A page's refusal messages by reason; those in the shared table may be omitted. */
export type RefusalTexts<Refusal extends AnyRefusal> = {
  readonly [Reason in Exclude<Refusal['reason'], SharedReason>]: TextOf<Refusal, Reason>
} & { readonly [Reason in Extract<Refusal['reason'], SharedReason>]?: TextOf<Refusal, Reason> }

/**
 * Returns refusals with these `reasons` unchanged, and maps all others to `other`, for a page that explains them
 * together.
 */
export function groupRefusals<
  Value,
  Refusal extends AnyRefusal,
  const Kept extends Refusal['reason'],
  const Other extends string,
>(
  outcome: Outcome<Value, Refusal>,
  reasons: readonly Kept[],
  other: Other,
): Outcome<Value, Extract<Refusal, { reason: Kept }> | Refused<Other>> {
  if (outcome.ok) return outcome
  return (reasons as readonly string[]).includes(outcome.reason)
    ? (outcome as Extract<Refusal, { reason: Kept }>)
    : refused(other)
}

type Steps = Readonly<Record<string, Step>>
type RefusalOf<Of> = Of extends Step<infer Refusal> ? Refusal : never
type ActionArgs = { request: Request; context: Readonly<RouterContextProvider> }
type Answer = Response | ReturnType<typeof refuseForm>

/** Handles a page with several buttons; `stepsOf` has one step per value of the field `intent`. */
export async function decide<Of extends object>(
  args: ActionArgs,
  page: DecisionPage,
  stepsOf: (posted: Posted) => Of | Promise<Of>,
  texts: RefusalTexts<RefusalOf<Of[keyof Of]>>,
): Promise<Answer> {
  const posted = await readPosted(args, page)
  const intent = posted.fields.get('intent') ?? ''
  const steps = (await stepsOf(posted)) as Steps
  const chosen = Object.hasOwn(steps, intent) ? steps[intent] : undefined
  if (!chosen) return refuseForm(formRefusal(posted.fields, technicalMessages.tryAgain), 400)
  return run(posted, page, { intent, chosen, texts })
}

/** Handles a page with declared actions, and the page's other buttons (`more`). */
export function decideActions<
  Of extends RecordActions['actions'],
  More extends object = Readonly<Record<string, Step<never>>>,
>(
  args: ActionArgs,
  { id, done, noun, fixed = {}, fileFor, more, ...page }: ActionPage<Of, More>,
  declared: RecordActions<Of>,
): Promise<Answer> {
  return decide<Steps>(
    args,
    { ...page, noun: noun ?? declared.noun, permission: declared.permission },
    async (posted) => {
      for (const [name, value] of Object.entries(fixed)) posted.fields.set(name, value)
      const steps = Object.entries(await actionSteps(declared, { id, done }, posted)).map(([name, button]) => [
        name,
        fileFor !== undefined && posted.file ? withFile(button, fileFor, posted.file) : button,
      ])
      return { ...Object.fromEntries(steps), ...more?.steps(posted) } as Steps
    },
    { ...declared.refusals, ...more?.refusals },
  )
}

/** The page of declared actions. */
type ActionPage<Of extends RecordActions['actions'], More> = Omit<DecisionPage, 'noun' | 'permission'> &
  ActionButtons<Of> & {
    /** What messages call the record, if not by the declaration's noun. */
    noun?: string
    /** Fields that follow from the page's address, such as the brand of a new model. */
    fixed?: Readonly<Record<string, string>>
    /** The name of a text field that a file can be uploaded for. Errors in the file are at the file's field. */
    fileFor?: string
    /** Buttons that only the page has, such as for a picture. */
    more?: { steps: (posted: Posted) => More; refusals: RefusalTexts<RefusalOf<More[keyof More]>> }
  }

type ActionButtons<Of extends RecordActions['actions']> = {
  /** The record's ID, from the page's address or a field; '' for a new one. A function may throw a 404. */
  id: string | ((fields: URLSearchParams, posted: Posted) => string | Promise<string>)
  /** The actions that the page has buttons for, each with its result on success. */
  done: { readonly [Name in keyof Of & string]?: DoneAt<ActionValue<Of[Name]>> }
}

/**
 * A value for the page's URL, another URL, which may contain a new record's ID or depend on the result or the fields,
 * or one-time page data; the button's name if undefined.
 */
type DoneAt<Value> = string | undefined | ((id: string, value: Value, fields: URLSearchParams) => Shown)
type ActionValue<Action> = Action extends RecordAction<infer Value> ? Value : never

/** The steps of declared actions, for a page with the actions of several declarations (`decide`). */
export async function actionSteps<Of extends RecordActions['actions']>(
  { actions }: Pick<RecordActions<Of>, 'actions'>,
  { id, done }: ActionButtons<Of>,
  posted: Posted,
): Promise<Record<string, Step<RefusalOfAction<Of[keyof Of]>>>> {
  const call = callOf(posted, typeof id === 'string' ? id : await id(posted.fields, posted))
  return Object.fromEntries(
    Object.entries<DoneAt<never>>(done).map(([name, after]) => [
      name,
      actionStep(found(actions[name]) as RecordAction<never, RefusalOfAction<Of[keyof Of]>>, call, after),
    ]),
  )
}

/** A form as a call of a declared action on the record `id`. */
export function callOf({ app, by, staff, file, signal }: Posted, id: string): ActionCall {
  return { app, by, id, file, signal, isFresh: isFresh(staff) }
}

/** The refusals of a declared action. */
export type RefusalOfAction<Action> = Action extends RecordAction<unknown, infer Refusal> ? Refusal : never

/** The step of a declared action, for a button with another name. */
export function actionStep<Value, Refusal extends AnyRefusal>(
  action: RecordAction<Value, Refusal>,
  call: ActionCall,
  done?: DoneAt<Value>,
): Step<Refusal> {
  return {
    requiresFresh: false,
    async run(fields) {
      const result = await action.run(call, fields)
      if (!('value' in result)) return result
      return { done: typeof done === 'function' ? done(result.id ?? '', result.value, fields) : (done ?? null) }
    },
  }
}

/** The same button with the file's text as the field `name`. The text doesn't come back to the page. */
function withFile(button: Step, name: string, file: File): Step {
  return {
    ...button,
    async run(fields) {
      fields.set(name, await file.text())
      const result = await button.run(fields)
      fields.delete(name)
      if (!('reply' in result)) return result
      const { [name]: wrong, ...errors } = result.reply.errors
      return { reply: { ...result.reply, errors: { ...errors, ...(wrong !== undefined && { file: wrong }) } } }
    },
  }
}

/** Answers a page with a single button. */
export async function submit<Refusal extends AnyRefusal>(
  args: ActionArgs,
  page: DecisionPage,
  stepOf: (posted: Posted) => Step<Refusal> | Promise<Step<Refusal>>,
  texts: RefusalTexts<Refusal>,
): Promise<Answer> {
  const posted = await readPosted(args, page)
  return run(posted, page, { intent: 'saved', chosen: await stepOf(posted), texts })
}

async function readPosted({ request, context }: ActionArgs, page: DecisionPage): Promise<Posted> {
  const staff = await requireStaff(context, page.permission, page.path())
  const { fields, file } =
    page.file === undefined
      ? { fields: await readForm(request, page.longest), file: null }
      : await readFormWithFile(request, page.file, undefined, page.longest)
  return { app: staff.app, by: staff.actor, staff, fields, file, signal: request.signal }
}

async function run(
  { staff, fields }: Posted,
  page: DecisionPage,
  { intent, chosen, texts }: { intent: string; chosen: Step; texts: Texts },
): Promise<Answer> {
  if (chosen.requiresFresh) requireFresh(staff, page.path())
  const result = await chosen.run(fields)
  for (const name of page.secrets ?? []) fields.delete(name)
  if ('reply' in result) return refuseForm({ ...result.reply, values: Object.fromEntries(fields) })
  if ('kept' in result) return data({ values: Object.fromEntries(fields), errors: {}, ...result.kept })
  if ('refusal' in result) {
    if (result.refusal.reason === 'not-fresh' && page.signsInAgain) requireFresh(staff, page.path())
    return refuse(fields, result.refusal, textOf(result.refusal, texts, page.noun))
  }
  const done = result.done ?? intent
  if (typeof done !== 'string') return data({ values: {}, errors: {}, ...done })
  return seeOther(/^(?:\/|https?:)/.test(done) ? done : page.path(done))
}

type Texts = Readonly<Record<string, unknown>>

/** Returns the message for a refusal, from `texts` or the shared table. */
export function textOf(refusal: AnyRefusal, texts: Texts, noun: string): RefusalText {
  const { reason, detail } = refusal
  const own = Object.hasOwn(texts, reason) ? (texts[reason] as TextOf<AnyRefusal, string>) : undefined
  if (typeof own === 'function') return own(detail)
  if (own !== undefined) return own
  return Object.hasOwn(refusalMessages, reason)
    ? refusalMessages[reason as SharedReason](noun)
    : technicalMessages.tryAgain
}

function refuse(fields: URLSearchParams, { reason }: AnyRefusal, text: RefusalText): Answer {
  if (text === null) throw new Response(null, { status: 404 })
  if (typeof text === 'string') return refuse(fields, { ok: false, reason, detail: undefined }, { text })
  const status = text.status ?? (reason === 'not-allowed' ? 403 : 'text' in text && !text.field ? 409 : 422)
  if ('fields' in text) return refuseForm({ values: Object.fromEntries(fields), errors: { ...text.fields } }, status)
  if (text.field) {
    const others = text.others && { others: text.others }
    return refuseForm({ values: Object.fromEntries(fields), errors: { [text.field]: text.text }, ...others }, status)
  }
  const reply = formRefusal(fields, text.text)
  return refuseForm(reason === 'changed-meanwhile' ? { ...reply, isConflict: true } : reply, status)
}

/** Returns the page's result message for the URL; null without one. */
export function doneNews(url: URL, news: Readonly<Record<string, string>>): string | null {
  const asked = url.searchParams.get('done') ?? ''
  return Object.hasOwn(news, asked) ? (news[asked] ?? null) : null
}

/** Returns the value, or throws a 404. */
export function found<Value>(value: Value | undefined | null): Value {
  if (value === undefined || value === null) throw new Response(null, { status: 404 })
  return value
}

/** The rows that have a value. */
export function shownRows(rows: readonly (readonly [string, string | null | undefined])[]): [string, string][] {
  return rows.flatMap(([label, value]): [string, string][] => (value == null ? [] : [[label, value]]))
}

/** Returns an uploaded file's errors for its field, the first ten, and the number of others. */
export function fileFaults(faults: readonly string[]): RefusalText {
  const more = faults.length - 10
  const shown = faults.slice(0, 10).join(' ')
  return { field: 'file', text: more > 0 ? `${shown} And ${countOf(more, 'more error')}.` : shown }
}
